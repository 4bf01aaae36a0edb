using System.Text.Json;
using AsyncProbe.Truth.Tests.Generator;

namespace AsyncProbe.Truth.Tests;

/// <summary>Lets <c>asyncprobe run</c> load one endpoint, and compares its results with the report that the server returns then.</summary>
internal static class RunJudge
{
    public static async Task TryAsync(TruthProcess server, HttpClient client, Row row, Score score)
    {
        var address = new Uri(server.Address, row.Route);
        var printed = await AsyncProbeCommand.ResultsAsync("run", address.ToString(), "-t", "2", "-s", "2", "-w", "0", "--json");
        var report = new Reported(await server.JsonAsync(client, "/_threadpool"));
        var run = JsonDocument.Parse(printed).RootElement;

        // A thread that is in the run queue for half of the time a lock is held finds it free, so this run differs from the earlier ones.
        if (row.Wait.Verdict != "lockContention" || WaitedForACore(run) < row.Ms * 0.5)
        {
            CliRunJudge.Try(report, run, score);
        }
    }

    private static double WaitedForACore(JsonElement run) =>
        run.GetProperty("server").GetProperty("endpoints").EnumerateArray()
            .Max(row => row.GetProperty("cpuWaitMs").GetProperty("mean") is { ValueKind: JsonValueKind.Number } mean ? mean.GetDouble() : 0);
}
