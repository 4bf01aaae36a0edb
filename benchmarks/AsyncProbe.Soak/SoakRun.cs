using System.Diagnostics;
using System.Text.Json;

namespace AsyncProbe.Soak;

/// <summary>
/// Runs cycles. Each begins with a storm, in which counts are reset and snapshots are taken under load. Then the server is quiet, and the
/// counts start again from zero. Then comes load whose every request must be in the report.
/// </summary>
internal static class SoakRun
{
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(60);

    public static async Task<SoakResult> RunAsync(TimeSpan length, int cycles, Action<string> say)
    {
        await using var server = await SoakProcess.StartAsync();
        var clock = Stopwatch.StartNew();
        List<ServerState> states = [];
        List<string> lost = [];
        List<string> miscounted = [];
        long requests = 0, compared = 0;
        for (var cycle = 1; cycle <= cycles; cycle++)
        {
            var storm = await LoadAsync(server, isStorm: true, length / cycles / 2);
            await ReportOfAsync(server, storm.Sent, isExact: false);
            await server.PostAsync("/_threadpool/reset");

            var counted = await LoadAsync(server, isStorm: false, length / cycles / 2);
            var report = await ReportOfAsync(server, counted.Sent, isExact: true);
            miscounted.AddRange(Differences(counted.Sent, report).Select(d => $"cycle {cycle}: {d}"));

            requests += storm.Sent.Values.Sum() + counted.Sent.Values.Sum();
            compared += counted.Sent.Values.Sum();
            lost.AddRange([.. storm.Lost, .. counted.Lost]);
            var state = await server.StateAsync();
            if (cycle == 1 || cycle == cycles / 2 || cycle == cycles)
            {
                states.Add(state);
            }

            say(FormattableString.Invariant(
                $"{clock.Elapsed.TotalMinutes:f1} min: {requests} requests, {lost.Count} lost, {miscounted.Count} miscounted, {state.Exceptions} exceptions, {state.HeapBytes >> 10} kB, {state.Threads} threads, {state.Handles} handles"));
        }

        return new SoakResult(clock.Elapsed, requests, compared, states, lost, miscounted);
    }

    private static async Task<SoakLoad> LoadAsync(SoakProcess server, bool isStorm, TimeSpan length)
    {
        using var end = new CancellationTokenSource(length);
        var load = new SoakLoad(server, end.Token);
        await load.RunAsync(isStorm);
        return load;
    }

    /// <summary>
    /// Gets the report once no request is in flight: the client has its answer a moment before the server has counted it.
    /// </summary>
    private static async Task<JsonElement> ReportOfAsync(SoakProcess server, IReadOnlyDictionary<string, long> sent, bool isExact)
    {
        var deadline = DateTime.UtcNow + s_patience;
        while (true)
        {
            var report = await server.ReportAsync();
            var isQuiet = report.GetProperty("endpoints").EnumerateArray()
                .All(e => e.GetProperty("inFlight").GetInt32() == 0);
            if (DateTime.UtcNow > deadline || (isQuiet && (!isExact || !Differences(sent, report).Any())))
            {
                return report;
            }

            await Task.Delay(100);
        }
    }

    private static IEnumerable<string> Differences(IReadOnlyDictionary<string, long> sent, JsonElement report)
    {
        var rows = report.GetProperty("endpoints").EnumerateArray().ToDictionary(e => e.GetProperty("endpoint").GetString()!);
        foreach (var (name, count) in sent)
        {
            long Of(string figure) => rows.TryGetValue(name, out var row) ? row.GetProperty(figure).GetInt64() : 0;
            if (Of("requests") != count)
            {
                yield return $"{name}: sent {count}, counted {Of("requests")}";
            }

            var failed = name == "GET /throw" ? count : 0;
            if (Of("failed") != failed)
            {
                yield return $"{name}: failed {failed}, counted {Of("failed")}";
            }

            var left = name == "GET /endless" ? count : 0;
            if (Of("aborted") != left)
            {
                yield return $"{name}: left {left}, counted {Of("aborted")}";
            }
        }
    }
}
