namespace AsyncProbe.Sample.Caching;

/// <summary>Checks whether a caller is identified, because the answer may then be only for that caller.</summary>
internal static class Caller
{
    public static bool IsKnown(HttpContext context) =>
        context.User.Identity?.IsAuthenticated == true || context.Request.Headers.Authorization.Count > 0;
}
