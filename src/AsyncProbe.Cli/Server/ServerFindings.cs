using System.Globalization;

namespace AsyncProbe.Cli.Server;

/// <summary>Sentences about what the polls of the server met. A dead server, a broken one and a starved one are three things.</summary>
internal static class ServerFindings
{
    public static IReadOnlyList<string> From(ReportPoller poller, CountsBegan counts)
    {
        var findings = new List<string>();
        switch (counts)
        {
            case CountsBegan.Restarted:
                findings.Add("The server process was restarted during the run: its counts begin there.");
                break;
            case CountsBegan.Reset:
                findings.Add("The server's counts were reset during the run: they begin there.");
                break;
        }

        Polls(poller, findings);
        if (!poller.BeginAnswered && counts == CountsBegan.Earlier)
        {
            findings.Add("The server did not answer at the end of the warm-up, so its counts include the warm-up.");
        }

        if (!poller.EndAnswered && poller.Polls.Last != ServerStatus.Unreachable)
        {
            findings.Add("The server did not answer after the run either; its figures end with its last answer.");
        }

        if (poller.End.SelfTestFailed)
        {
            findings.Add($"The server's detector did not pass its self-test ({poller.End.SelfTest}): call sites may be missing.");
        }

        return findings;
    }

    private static void Polls(ReportPoller poller, List<string> findings)
    {
        var polls = poller.Polls;
        var path = poller.Url.AbsolutePath;
        if (polls.Get(ServerStatus.Unreachable) > 0)
        {
            var gone = polls.Last == ServerStatus.Unreachable
                ? $"and nothing listened there after the run: the server process has ended. Its figures end with its last answer, {Text(poller.LongestSilence)} before"
                : "and the server listened again later: its process was away meanwhile";
            findings.Add($"{Share(polls, ServerStatus.Unreachable)} of {path} were refused, {gone}.");
        }

        if (polls.Get(ServerStatus.Reset) > 0)
        {
            findings.Add($"{Share(polls, ServerStatus.Reset)} of {path} ended in a closed connection, in the middle of the answer.");
        }

        if (polls.Get(ServerStatus.NoAnswer) > 0)
        {
            findings.Add($"{Share(polls, ServerStatus.NoAnswer)} of {path} were accepted and got no answer in time, and the longest silence was {Text(poller.LongestSilence)}: the server had no free thread to answer with.");
        }

        var odd = polls.Get(ServerStatus.NotThere) + polls.Get(ServerStatus.Refused) + polls.Get(ServerStatus.Unreadable);
        if (odd > 0)
        {
            findings.Add(string.Create(CultureInfo.InvariantCulture, $"{odd} of {polls.All} polls of {path} got an answer that is not a report."));
        }
    }

    private static string Share(PollCounts polls, ServerStatus status) => string.Create(CultureInfo.InvariantCulture, $"{polls.Get(status)} of {polls.All} polls");

    private static string Text(TimeSpan time) => string.Create(CultureInfo.InvariantCulture, $"{time.TotalSeconds:0.0} s");
}
