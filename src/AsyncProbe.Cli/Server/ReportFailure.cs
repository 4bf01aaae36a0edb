using AsyncProbe.Cli.Snapshots;

namespace AsyncProbe.Cli.Server;

/// <summary>Explains why no report came, and says what to do.</summary>
internal static class ReportFailure
{
    /// <summary>How to make the report answer instead of returning 404.</summary>
    public const string HowToOpen =
        "Map the report with app.MapAsyncProbe(). Outside Development it answers 404 until the app says who may look: set AllowLocal (for "
            + "callers on the "
        + "server's own machine), ManagementPort, or authorization. A line in its log at start says how.";

    /// <summary>What to do about an untrusted certificate; on this machine it is usually the development certificate.</summary>
    public static string Certificate(Uri url) =>
        url.IsLoopback
            ? "If it is the development certificate of ASP.NET Core, trust it with: dotnet dev-certs https --trust. Or, to accept any "
                + "certificate, type -k."
            : "To accept any certificate, type -k.";

    /// <summary>The same for a server that was also asked on its lifeline, or could have been.</summary>
    public static string Describe(ServerStatus status, Uri url, TimeSpan timeout, Uri? lifeline, Uri? redirect)
    {
        var why = Describe(status, url, timeout, redirect);
        return (status, lifeline) switch
        {
            (ServerStatus.NoAnswer, not null) =>
                $"Neither {url} nor the lifeline at {lifeline} answered within {timeout.TotalSeconds} s: is the option LifelinePort set?",
            (ServerStatus.NoAnswer, null) =>
                $"{why} With the option LifelinePort on the server and --lifeline PORT here, you can look at it even then.",
            _ => why,
        };
    }

    public static string Describe(ServerStatus status, Uri url, TimeSpan timeout, Uri? redirect) => status switch
    {
        ServerStatus.Unreachable => $"Nothing can be reached at {url.GetLeftPart(UriPartial.Authority)}: is the server running?",
        ServerStatus.NotThere => $"{url} answers 404. {HowToOpen} If it is elsewhere, give its URL.",
        ServerStatus.Reset =>
            $"{url} closed the connection in the middle of its answer: the server ended, or a proxy in between closed it.",
        ServerStatus.Untrusted =>
            $"The certificate of {url.GetLeftPart(UriPartial.Authority)} is not trusted. {Certificate(url)}",
        ServerStatus.Redirected =>
            $"{url} redirects to {redirect}, which is not followed: if the report is there, give that URL; if it is a login page, the "
                + "server asks for authorization.",
        ServerStatus.OtherSchema =>
            $"The report at {url} does not have schema {ServerSnapshot.KnownSchema}, which this asyncprobe reads: use the "
                + "version of asyncprobe that goes with the server's AsyncProbe.",
        ServerStatus.Refused or ServerStatus.Unreadable =>
            $"The answer of {url} is not an AsyncProbe report: give the report's URL (the one in MapAsyncProbe, by default /_threadpool).",
        _ => $"{url} did not answer within {timeout.TotalSeconds} s; its pool may have no free thread.",
    };
}
