namespace AsyncProbe.Cli.Server;

/// <summary>
/// Decides where a redirecting server wants the report to be requested. Only a redirect to the same report on the same host is followed,
/// such as HTTPS redirection. A server must not send this tool to another host, and a login page is not a report.
/// </summary>
internal static class ReportRedirect
{
    /// <summary>Null when the response is not a redirect.</summary>
    public static Uri? Target(HttpResponseMessage response, Uri from) =>
        (int)response.StatusCode is 301 or 302 or 303 or 307 or 308 && response.Headers.Location is { } location
            && Uri.TryCreate(from, location, out var target) ? target : null;

    public static bool MayFollow(Uri from, Uri target) =>
        target.Scheme is "http" or "https" && !(from.Scheme == "https" && target.Scheme == "http")
        && (from.IsLoopback ? target.IsLoopback : from.IdnHost.Equals(target.IdnHost, StringComparison.OrdinalIgnoreCase))
        && target.AbsolutePath.TrimEnd('/') == from.AbsolutePath.TrimEnd('/');
}
