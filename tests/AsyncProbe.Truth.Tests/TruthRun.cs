using System.Text.Json;
using AsyncProbe.Truth.Tests.Generator;

namespace AsyncProbe.Truth.Tests;

/// <summary>Writes, compiles, serves, requests and judges rows in one setting.</summary>
internal static class TruthRun
{
    public static string Folder { get; } = Path.Combine(Repository.Folder, "artifacts", "truth");

    // Five hits are enough for a judgement on all requests (docs/when-async.md), and one snapshot may fall between two requests.
    private const int SnapshotsOfLongWaits = 6;

    private static readonly TimeSpan s_intervalsAfterTheTurn = TimeSpan.FromSeconds(16);

    public static async Task<Score> JudgeAsync(RuntimeSetting setting, IReadOnlyList<Row> rows, string folder)
    {
        var path = Path.Combine(Folder, folder);
        await using var server = await TruthProcess.StartAsync(setting, RowCompiler.Compile(rows, setting, path));
        using var client = new HttpClient(
            new SocketsHttpHandler { UseProxy = false, PooledConnectionIdleTimeout = TimeSpan.FromMinutes(5) })
        {
            Timeout = TruthProcess.Timeout,
        };

        // Run long waits concurrently: they only wait, and one snapshot sees all of them.
        var snapshots = setting.HasSnapshots ? SnapshotsOfLongWaits : 0;
        List<Asked> asked =
            [.. await Task.WhenAll(rows.Where(r => r.IsLong).Select(r => AskAsync(server, client, r, snapshots)))];

        // Then single clients, which use little of a core, at the same time as crowds.
        var lanes = rows.Where(r => !r.IsLong)
            .GroupBy(r => r.Course != Course.Steady ? -r.Number : r.Clients > 1 ? 0 : 1 + (r.Number % 2));
        asked.AddRange((await Task.WhenAll(lanes.Select(lane => AskAllAsync(server, client, lane)))).SelectMany(a => a));
        rows = [.. asked.Select(a => a.Row).OrderBy(r => r.Number)];

        var report = await QuietReportAsync(server, client, rows);
        var printed = await AsyncProbeCommand.ResultsAsync("report", server.Address.ToString(), "--no-color");

        // The printed results are compared with the report of that moment: at any time an interval may end and move the verdict's window.
        for (var i = 0; i < 10 && await server.JsonAsync(client, "/_threadpool") is var after; i++)
        {
            if (Sentences(report) == Sentences(after))
            {
                break;
            }

            printed = await AsyncProbeCommand.ResultsAsync("report", server.Address.ToString(), "--no-color");
            report = after;
        }

        var ledger = await server.JsonAsync(client, "/ledger");
        var evidence = new Evidence
        {
            Setting = setting.Judged,
            Report = report,
            Answers = [.. asked.SelectMany(a => a.Last)],
            Log = server.Output,
            CliReport = printed,
        };
        await File.WriteAllTextAsync(Path.Combine(path, "report.json"), report.ToString());
        await File.WriteAllTextAsync(Path.Combine(path, "log.txt"), evidence.Log);
        await File.WriteAllTextAsync(Path.Combine(path, "cli.txt"), evidence.CliReport);
        var reported = new Reported(report);
        var queued = report.GetProperty("pool").GetProperty("history").EnumerateArray().Max(m => m.GetProperty("queueDelayMs").GetDouble());
        var score = Judge.Try(
            [.. rows.Select(
                r => RowTruth.Of(
                    r, setting, MeasuredOf(ledger, r), reported.Find(r.Endpoint)?.CpuWait.Mean ?? 0, queued,
                    reported.Find(r.Endpoint)?.Blocked.Mean ?? 0))], evidence);
        foreach (var clear in new[] { rows.FirstOrDefault(IsClear), rows.FirstOrDefault(IsClearLock) }.OfType<Row>())
        {
            await RunJudge.TryAsync(server, client, clear, score);
        }

        await File.WriteAllLinesAsync(Path.Combine(path, "findings.txt"), score.Findings.Select(f => f.ToString()));
        return score;
    }

    private static async Task<List<Asked>> AskAllAsync(TruthProcess server, HttpClient client, IEnumerable<Row> rows)
    {
        List<Asked> asked = [];
        foreach (var row in rows)
        {
            asked.Add(await AskAsync(server, client, row));
        }

        return asked;
    }

    // Two seconds of it have the same verdict as its whole life: it waits for 20 ms and does nothing else, far from any verdict's limit.
    private static bool IsClear(Row row) =>
        row.Wait is { Verdict: "asyncWillHelp", Ms: 20, SpinsFirst: false }
            && row is { Course: Course.Steady, Shape.IsAfterHeaders: false };

    // Once the lock is known, a run watches few requests or none, and only the server knows enough to judge.
    private static bool IsClearLock(Row row) =>
        row.Wait is { Verdict: "lockContention", SpinsFirst: false }
            && row is { Course: Course.Steady, Shape.IsAfterHeaders: false, Position.IsTimed: false };

    private static string Sentences(JsonElement report) =>
        string.Join('\n', report.GetProperty("endpoints").EnumerateArray().Select(e => e.GetProperty("advice").GetString()));

    private static Measured? MeasuredOf(JsonElement ledger, Row row) =>
        ledger.TryGetProperty(row.Endpoint, out var cell) && cell.GetProperty("count").GetInt64() is var count and > 0
            ? new Measured(count, cell.GetProperty("blocked").GetInt64() / 1e6, cell.GetProperty("cpu").GetInt64() / 1e6)
            : null;

    /// <summary>
    /// Sends a row's requests, and goes on until <paramref name="snapshots"/> snapshots have been taken, but not forever: without them, the
    /// report says too little, and that is a finding.
    /// </summary>
    private static async Task<Asked> AskAsync(TruthProcess server, HttpClient client, Row row, int snapshots = 0)
    {
        var address = new Uri(server.Address, row.Route);
        var taken = snapshots == 0 ? 0 : await SnapshotsAsync(server, client);
        var more = 0;
        var last = await Task.WhenAll(Enumerable.Range(0, row.Clients).Select(_ => ClientAsync()));
        return new Asked(row with { MoreRequests = more }, [.. last.Take(2)]);

        async Task<AnsweredRequest> ClientAsync()
        {
            for (var i = 1; ; i++)
            {
                if (row.Shape.IsAfterResponse && row.Wait.Kind is not null && i == (row.RequestsPerClient / 2) + 1)
                {
                    // A client that asks before anything has blocked would ask before AsyncProbe can know.
                    await LateWorkIsCountedAsync(server, client, row);
                }

                if (i > row.RequestsBefore && row.Course != Course.Steady)
                {
                    await TurnAsync(server, client, row, isFirst: i == row.RequestsBefore + 1);
                }

                using var response = await client.GetAsync(address);
                response.IsSuccessStatusCode.ShouldBeTrue($"{row.Endpoint}: {response.StatusCode}, {row.Note}");
                if (i == 10 * row.RequestsPerClient
                    || (i >= row.RequestsPerClient && (snapshots == 0 || await SnapshotsAsync(server, client) >= taken + snapshots)))
                {
                    Interlocked.Add(ref more, i - row.RequestsPerClient);
                    return AnsweredRequest.From(row.Endpoint, response);
                }
            }
        }
    }

    private static async Task<int> SnapshotsAsync(TruthProcess server, HttpClient client) =>
        (await server.JsonAsync(client, "/_threadpool")).GetProperty("probe").GetProperty("snapshots").GetProperty("taken").GetInt32();

    // A verdict follows when two of its intervals have shown nothing else, so the requests after the turn are spread over three.
    private static async Task TurnAsync(TruthProcess server, HttpClient client, Row row, bool isFirst)
    {
        if (isFirst)
        {
            (await client.GetAsync(new Uri(server.Address, $"/turn/{row.Name}"))).EnsureSuccessStatusCode().Dispose();
        }

        await Task.Delay(s_intervalsAfterTheTurn / (row.RequestsPerClient - row.RequestsBefore));
    }

    private static Task<bool> LateWorkIsCountedAsync(TruthProcess server, HttpClient client, Row row) =>
        Eventually.BecomesTrueAsync(
            async () => new Reported(await server.JsonAsync(client, "/_threadpool")).Find(row.Endpoint)?.AfterResponse.Max >= row.Ms / 2.0,
            TruthProcess.Timeout);

    /// <summary>The report once everything is counted: a client has its answer before the server has finished the request.</summary>
    private static async Task<JsonElement> QuietReportAsync(TruthProcess server, HttpClient client, IReadOnlyList<Row> rows)
    {
        var expected = rows.ToDictionary(r => r.Endpoint, r => (long)r.Requests);
        await Eventually.BecomesTrueAsync(
            async () =>
            {
                var report = await server.JsonAsync(client, "/_threadpool");
                var counted = report.GetProperty("endpoints").EnumerateArray()
                    .Where(e => expected.ContainsKey(e.GetProperty("endpoint").GetString()!))
                    .ToDictionary(e => e.GetProperty("endpoint").GetString()!, e => e.GetProperty("requests").GetInt64());
                return expected.All(e => counted.GetValueOrDefault(e.Key) >= e.Value);
            },
            TimeSpan.FromSeconds(10));

        // Wait for the watcher's next rounds: for what blocks after the response, and what a snapshot found.
        await Task.Delay(1500);
        return await server.JsonAsync(client, "/_threadpool");
    }

    /// <summary>A row with the requests it really had, and the last answers of its first two clients.</summary>
    private sealed record Asked(Row Row, IReadOnlyList<AnsweredRequest> Last);
}
