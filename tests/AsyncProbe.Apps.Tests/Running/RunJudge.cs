using System.Text;
using System.Text.Json;

namespace AsyncProbe.Apps.Tests.Running;

/// <summary>Lets <c>asyncprobe run</c> send the requests of the application's clients, and judges its results by the same truths.</summary>
internal static class RunJudge
{
    // The verdict of an endpoint that the run called too rarely.
    private const string TooFew = "notEnoughData";
    private const string Seconds = "2";

    public static async Task<(JsonElement Run, Score Score)> TryAsync(
        AppProcess process, IEnumerable<Call> calls, IReadOnlyCollection<EndpointTruth> truths)
    {
        var session = Path.Combine(Path.GetTempPath(), $"asyncprobe-{Guid.NewGuid():N}.websurge");
        await File.WriteAllTextAsync(session, Session(process.Address, calls.Where(c => (int)c.Status < 300 && !c.NeedsOthers)));
        try
        {
            var printed = await AsyncProbeCommand.ResultsAsync("run", session, "-t", "4", "-s", Seconds, "-w", "0", "--json");
            var run = JsonDocument.Parse(printed).RootElement;
            return (run, Try(run, new Reported(await process.ReportAsync()), truths));
        }
        finally
        {
            File.Delete(session);
        }
    }

    /// <summary>The run's row for an endpoint.</summary>
    public static JsonElement? Find(JsonElement run, string endpoint) =>
        run.GetProperty("server").GetProperty("endpoints").EnumerateArray().Cast<JsonElement?>()
            .FirstOrDefault(row => row?.GetProperty("endpoint").GetString() == endpoint);

    private static Score Try(JsonElement run, Reported report, IReadOnlyCollection<EndpointTruth> truths)
    {
        var score = new Score();
        var server = run.GetProperty("server");
        foreach (var row in server.GetProperty("endpoints").EnumerateArray())
        {
            var name = Text(row, "endpoint")!;
            var truth = truths.FirstOrDefault(t => t.Endpoint == name);
            if (!score.Check(truth is not null, name, Aspect.FalseAlarm, "an endpoint of the application", "a row in asyncprobe run")
                || truth is null)
            {
                continue;
            }

            if (truth.Verdict is { } verdict && Text(row, "verdict") is { } said && said != TooFew)
            {
                score.Check(
                    verdict.Split('|').Contains(said), name, Aspect.Verdict, $"{verdict} in asyncprobe run",
                    $"{said} ({Text(row, "advice")})");
            }

            Compare("heldMs", truth.HeldMs);
            Compare("cpuMs", truth.CpuMs);
            Compare("blockedMs", truth.BlockedMs);
            var requests = row.GetProperty("requests").GetInt64();
            score.Check(
                requests <= report.Find(name)?.Requests, name, Aspect.Contradiction,
                $"at most {report.Find(name)?.Requests} requests in asyncprobe run", $"{requests}");
            if (Text(row, "worstSite") is { } worst)
            {
                SiteJudge.TryText(truth, worst, "in asyncprobe run", score);
            }

            void Compare(string figure, Between? expected)
            {
                if (expected is { } between && row.GetProperty(figure).GetProperty("mean") is { ValueKind: JsonValueKind.Number } mean)
                {
                    score.Check(
                        between.Holds(mean.GetDouble()), name, Aspect.Figure, $"{figure} {between} in asyncprobe run", mean.ToString());
                }
            }
        }

        foreach (var site in server.GetProperty("sites").EnumerateArray())
        {
            TrySite(site, truths, report, score);
        }

        return score;
    }

    // The site must be one of the report's, with the kind and the place that the truth names.
    private static void TrySite(JsonElement site, IReadOnlyCollection<EndpointTruth> truths, Reported report, Score score)
    {
        var (at, kind) = (Text(site, "at")!, Text(site, "kind"));
        foreach (var endpoint in site.GetProperty("endpoints").EnumerateArray()
            .Select(e => e.GetString()!.Replace(ReportedSite.AfterResponse, "", StringComparison.Ordinal)).Distinct())
        {
            score.Check(
                report.SitesOf(endpoint).Any(s => s.Text == at && s.Kind == kind), endpoint, Aspect.Contradiction,
                "one of the report's sites in asyncprobe run", $"{at} [{kind}]");
            if (truths.FirstOrDefault(t => t.Endpoint == endpoint) is { } truth && SiteJudge.TryText(truth, at, "in asyncprobe run", score)
                && truth.Sites.FirstOrDefault(s => s.Places.Any(p => at.StartsWith(p.Method, StringComparison.Ordinal))) is { } place)
            {
                score.Check(
                    truth.Sites.Any(s => s.Kind == kind), endpoint, Aspect.Kind, $"{place.Kind} in asyncprobe run", $"{at} [{kind}]");
            }
        }
    }

    private static string Session(Uri server, IEnumerable<Call> calls)
    {
        var session = new StringBuilder();
        foreach (var call in calls)
        {
            session.Append(call.Method).Append(' ').Append(new Uri(server, call.Path)).Append(" HTTP/1.1\n");
            if (call.Header is { } header)
            {
                session.Append(header.Name).Append(": ").Append(header.Value).Append('\n');
            }

            if (call.Json is { } json)
            {
                session.Append("Content-Type: application/json\n\n").Append(json).Append('\n');
            }

            session.Append('\n').Append('-', 66).Append("\n\n");
        }

        return session.ToString();
    }

    private static string? Text(JsonElement row, string name) => row.TryGetProperty(name, out var value) ? value.GetString() : null;
}
