using AsyncProbe.Cli.Joining;
using AsyncProbe.Cli.Load;
using AsyncProbe.Cli.Server;

namespace AsyncProbe.Cli.Runs;

/// <summary>One run of a session: finds the server's report, sends the load, and puts the server's counts next to the client's.</summary>
internal static class SessionRun
{
    public static async Task<RunResult> RunAsync(
        PreparedSession prepared, ProbeChoice probe, RunObserver observer, CancellationToken interrupt)
    {
        var (target, settings) = (prepared.Requests[0].Url, prepared.Settings);
        var url = probe.GetReportUrl(target);
        // Another endpoint may speak another version.
        var http2 = settings.Http2 && probe.Connect is null && url.Authority == target.Authority;
        var report = probe.Off ? null : new ServerReport(url, lifeline: null, settings.Insecure, probe.Connect, http2);
        var (poller, answer) = report is null ? default
            : await ReportPoller.FindAsync(report, settings.Timeout, interrupt, observer.WaitForReport);
        using (poller)
        {
            var facts = await new LoadRun(prepared, poller, observer).RunAsync(interrupt);
            if (poller is null)
            {
                // The certificate is that of the host to which the report's address redirects.
                var place = answer is { Status: ServerStatus.Untrusted } ? report!.Url.ToString() : probe.Describe(target);
                return ResultBuilder.Build(facts, ServerSide.Without(answer?.Status ?? ServerStatus.Off, place));
            }

            await poller.EndAsync(waitForAnswer: !interrupt.IsCancellationRequested);
            var server = ServerJoin.Build(poller, facts.Began);
            return ResultBuilder.Build(
                facts, ServerAttribution.Attribute(probe.Title is { } title ? server with { Url = title } : server, facts));
        }
    }
}
