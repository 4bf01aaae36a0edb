using Microsoft.AspNetCore.Mvc;
using Microsoft.AspNetCore.Mvc.Infrastructure;

namespace AsyncProbe.Sample.Caching;

/// <summary>Checks whether an action succeeded, before its result is written.</summary>
internal static class ActionOutcome
{
    public static bool IsSuccess(IActionResult? result, HttpContext context)
    {
        var status = (result as IStatusCodeActionResult)?.StatusCode ?? context.Response.StatusCode;
        return status is >= StatusCodes.Status200OK and < StatusCodes.Status300MultipleChoices;
    }
}
