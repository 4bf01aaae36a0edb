namespace AsyncProbe.Reporting.Access;

/// <summary>Headers that only a proxy, or the middleware that reads a proxy's headers, adds to a request.</summary>
internal static class ProxyMarks
{
    /// <summary>The header in which the forwarded headers middleware keeps the Host that it replaced.</summary>
    public const string OriginalHost = "X-Original-Host";

    private static readonly string[] s_families = ["X-Forwarded-", "X-Original-"];

    private static readonly string[] s_names =
    [
        "Forwarded", "Via", "X-Real-IP", "X-Client-IP", "X-Cluster-Client-IP", "True-Client-IP", "CF-Connecting-IP", "CF-Connecting-IPv6",
        "Fastly-Client-IP", "X-Azure-ClientIP", "X-Envoy-External-Address", "X-ARR-LOG-ID",
    ];

    public static bool Is(string header) =>
        Array.Exists(s_families, family => header.StartsWith(family, StringComparison.OrdinalIgnoreCase))
        || Array.Exists(s_names, name => header.Equals(name, StringComparison.OrdinalIgnoreCase));
}
