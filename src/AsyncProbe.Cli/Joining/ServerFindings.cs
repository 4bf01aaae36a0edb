using System.Globalization;
using AsyncProbe.Cli.Server;

namespace AsyncProbe.Cli.Joining;

/// <summary>Sentences about the outcome of the polls. They distinguish a dead server, a broken one and a starved one.</summary>
internal static class ServerFindings
{
    private const int MostUnclaimed = 5;

    public static IReadOnlyList<string> From(ReportPoller poller, CountsBegan counts)
    {
        var findings = new List<string>();
        switch (counts)
        {
            case CountsBegan.Restarted:
                findings.Add("The server process restarted during the measurement, so its figures cover only the time since.");
                break;
            case CountsBegan.Reset:
                findings.Add("The server's statistics were reset during the measurement, so they cover only the time since.");
                break;
        }

        Polls(poller, findings);
        if (poller.BeginOffset <= -ReportPoller.Late && counts == CountsBegan.Earlier)
        {
            findings.Add("The server did not answer in time when the measured time began, so its counts begin before it.");
        }

        if (poller is { HasEnded: true, EndAnswered: false } && poller.Polls.Last != ServerStatus.Unreachable)
        {
            findings.Add("The server did not answer at the end; its figures stop at its last answer.");
        }

        if (poller.End.SelfTestFailed)
        {
            findings.Add($"The server's wait hook failed its self-test ({poller.End.SelfTest}): call sites may be missing.");
        }

        findings.AddRange(poller.Unclaimed.Take(MostUnclaimed).Select(site => site.Describe()));
        return findings;
    }

    private static void Polls(ReportPoller poller, List<string> findings)
    {
        var polls = poller.Polls;
        var path = poller.Url.AbsolutePath;
        if (polls.Get(ServerStatus.Unreachable) > 0)
        {
            var gone = polls.Last == ServerStatus.Unreachable
                ? $"the server process has ended. Its figures stop at its last answer, {Text(poller.LongestSilence)} earlier"
                : "the server was down for a while";
            findings.Add($"{Share(polls, ServerStatus.Unreachable)} of {path} were refused: {gone}.");
        }

        if (polls.Get(ServerStatus.Reset) > 0)
        {
            findings.Add($"{Share(polls, ServerStatus.Reset)} of {path} were cut off in the middle of the answer.");
        }

        if (polls.Get(ServerStatus.NoAnswer) > 0)
        {
            findings.Add(
                $"{Share(polls, ServerStatus.NoAnswer)} of {path} timed out (longest silence {Text(poller.LongestSilence)}): its "
                    + "pool had no free thread, or the machine was too busy.");
        }

        if (polls.FromLifeline > 0)
        {
            findings.Add(string.Create(
                CultureInfo.InvariantCulture, $"{polls.FromLifeline} of {polls.All} polls were answered by the lifeline only."));
        }

        var odd = polls.Get(ServerStatus.NotThere) + polls.Get(ServerStatus.Refused) + polls.Get(ServerStatus.Redirected)
            + polls.Get(ServerStatus.Unreadable);
        if (odd > 0)
        {
            findings.Add(
                string.Create(CultureInfo.InvariantCulture, $"{odd} of {polls.All} polls of {path} got an answer that is not a report."));
        }
    }

    private static string Share(PollCounts polls, ServerStatus status) =>
        string.Create(CultureInfo.InvariantCulture, $"{polls.Get(status)} of {polls.All} polls");

    private static string Text(TimeSpan time) => string.Create(CultureInfo.InvariantCulture, $"{time.TotalSeconds:0.0} s");
}
