namespace AsyncProbe.Cli.Server;

/// <summary>
/// Where a server that redirects wants the report to be asked for. It is followed only to the same report on the same host, as HTTPS
/// redirection sends it: a server may not send this tool to another, and a login page is not a report.
/// </summary>
internal static class ReportRedirect
{
    /// <summary>Null when the response redirects nowhere.</summary>
    public static Uri? Target(HttpResponseMessage response, Uri from) =>
        (int)response.StatusCode is 301 or 302 or 303 or 307 or 308 && response.Headers.Location is { } location
            && Uri.TryCreate(from, location, out var target) ? target : null;

    public static bool MayFollow(Uri from, Uri target) =>
        target.Scheme is "http" or "https" && !(from.Scheme == "https" && target.Scheme == "http")
        && (from.IsLoopback ? target.IsLoopback : from.IdnHost.Equals(target.IdnHost, StringComparison.OrdinalIgnoreCase))
        && target.AbsolutePath.TrimEnd('/') == from.AbsolutePath.TrimEnd('/');
}
