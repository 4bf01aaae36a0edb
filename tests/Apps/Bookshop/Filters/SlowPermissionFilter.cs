using Microsoft.AspNetCore.Mvc.Filters;

namespace Bookshop.Filters;

internal sealed class SlowPermissionFilter : IAuthorizationFilter
{
    public void OnAuthorization(AuthorizationFilterContext context)
    {
        AskAsync().Wait(); // blocks: permission
    }

    private static async Task AskAsync() => await Task.Delay(15);
}
