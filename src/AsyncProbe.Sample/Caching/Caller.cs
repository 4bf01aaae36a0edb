namespace AsyncProbe.Sample.Caching;

/// <summary>Whether a caller shows who they are: then the answer may be theirs alone.</summary>
internal static class Caller
{
    public static bool IsKnown(HttpContext context) =>
        context.User.Identity?.IsAuthenticated == true || context.Request.Headers.Authorization.Count > 0;
}
