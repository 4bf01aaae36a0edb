using System.Globalization;
using System.Text.RegularExpressions;

namespace AsyncProbe.Faults.Tests;

/// <summary>
/// Lets places fail in batches, each in a host of its own, and judges each host: every answer must be right, and AsyncProbe must count
/// requests again afterwards. A batch that goes wrong doesn't keep the others from running.
/// </summary>
/// <param name="copy">The rewritten copy.</param>
/// <param name="isBrief">Whether the plain requests are enough to reach the places.</param>
internal sealed partial class Injection(FaultyCopy copy, bool isBrief = false)
{
    // How many places fail in one process.
    private const int Batch = 250;

    private const int Hosts = 2;

    private const int MostReports = 300;

    // An endpoint gets windows after its blocked time has been unexplained for six seconds.
    private static readonly TimeSpan s_forWindows = TimeSpan.FromSeconds(8);

    private int _hosts;

    public InjectionResult Result { get; } = new();

    /// <summary>Does everything in both kinds of host, and lets nothing fail.</summary>
    public async Task ReachAsync()
    {
        for (var i = 0; i < Hosts; i++)
        {
            await TryAsync("reached", [], JudgeAsync);
        }
    }

    /// <summary>Each place fails when it is first reached after the start.</summary>
    public async Task FailColdAsync(IReadOnlyList<Place> places)
    {
        foreach (var batch in places.Chunk(Batch))
        {
            var file = Path.Combine(copy.Folder, "cold.txt");
            await File.WriteAllTextAsync(file, Join(batch));
            Result.FailedCold.UnionWith(await TryAsync("cold", batch, JudgeAsync, "--cold", file));
        }
    }

    /// <summary>Each place fails after it has worked.</summary>
    public async Task FailWarmAsync(IReadOnlyList<Place> places)
    {
        foreach (var batch in places.Chunk(Batch))
        {
            Result.FailedWarm.UnionWith(await TryAsync("warm", batch, async (host, lifeline) =>
            {
                await JudgeAsync(host, lifeline, hasDeadlock: false);
                var reached = await ReachedAsync(host);
                await host.PostAsync("/faults/arm", Join(batch.Where(place => reached.Contains(place.Id))));
                await JudgeAsync(host, lifeline, hasDeadlock: false);
            }));
        }
    }

    // Every other host runs as in production: fully optimised, with a management port on which it doesn't listen, a capped pool and MVC's
    // old routing.
    private async Task<HashSet<int>> TryAsync(string how, Place[] batch, Func<FaultHostProcess, int, Task> judge, params string[] more)
    {
        var lifeline = FreePort.Take();
        var isOther = _hosts++ % 2 == 1;
        string[] place = isOther
            ? ["--environment", "Production", "--AsyncProbe:ManagementPort", Text(FreePort.Take()), "--max-workers", "16", "--legacy", "true"]
            : ["--environment", "Development"];
        var state = Path.Combine(copy.Folder, "state.txt");
        File.Delete(state);
        FaultHostProcess? host = null;
        try
        {
            host = await FaultHostProcess.StartAsync(
                [
                    "--lifeline", Text(lifeline), "--blockers", "true", "--state", state, "--AsyncProbe:QueueingThreshold", "00:00:00.020",
                    "--AsyncProbe:StarvedThreshold", "00:00:00.150", "--AsyncProbe:StackSnapshots:Interval", "00:00:03",
                    "--AsyncProbe:Allow:0:MethodPrefix", "Nothing.", "--AsyncProbe:Allow:0:Reason", "for the binder",
                    "--AsyncProbe:UserAssemblies:0", "AsyncProbe.FaultHost", "--AsyncProbe:ActivitySources:0", "fault bench",
                    "--AsyncProbe:ActivitySources:1", "Microsoft.AspNetCore.SignalR.Server",
                    "--AsyncProbe:SampleRate", "1", "--AsyncProbe:Enabled", "true", .. place, .. more,
                ],
                copy.Folder,
                configure: start => start.Environment["DOTNET_TieredCompilation"] = isOther ? "0" : "1");
            await judge(host, lifeline);
            await host.StopAsync();
        }
        catch (Exception e)
        {
            var output = host?.Output ?? "";
            var injected = Injected().Matches(e.Message + output).Select(match => Number(match.Groups[1].Value)).Distinct()
                .Select(id => copy.Places[id]).Select(p => $"{p.Id} {p.Method}: {p.What}");
            Result.Escaped.Add($"{how} {Range(batch)}: {e}\nThe output names: {string.Join("; ", injected)}\n{output}");
            if (host is { Process.HasExited: false })
            {
                // The places reached so far still count.
                await EndAsync(host);
            }
        }
        finally
        {
            if (host is not null)
            {
                await host.DisposeAsync();
            }
        }

        if (!File.Exists(state))
        {
            return [];
        }

        var lines = await File.ReadAllLinesAsync(state);
        Result.Reached.UnionWith(Numbers(lines[1]));
        return Numbers(lines[0]);
    }

    private async Task EndAsync(FaultHostProcess host)
    {
        try
        {
            await host.EndQuietlyAsync();
        }
        catch (TimeoutException)
        {
            Result.Escaped.Add("The host doesn't stop.");
        }
    }

    private Task JudgeAsync(FaultHostProcess host, int lifeline) => JudgeAsync(host, lifeline, hasDeadlock: !isBrief);

    private async Task JudgeAsync(FaultHostProcess host, int lifeline, bool hasDeadlock)
    {
        List<string> wrong = isBrief
            ? [.. await Work.RunAsync(host), .. await Work.RunAsync(host), .. await Work.RunAsync(host)]
            : await RunEverythingAsync(host, lifeline);
        if (hasDeadlock)
        {
            wrong.AddRange(await Work.DeadlockAsync(host, lifeline));
        }

        if (wrong.Count > 0 || host.Process.HasExited)
        {
            throw new InvalidOperationException($"{wrong.Count} answers were wrong:\n{string.Join('\n', wrong.Take(5))}");
        }

        await ReportUntilItWorksAsync(host);
        await host.PostAsync("/faults/disarm");
        await MeasuresAsync(host);
    }

    private static async Task<List<string>> RunEverythingAsync(FaultHostProcess host, int lifeline)
    {
        List<string> wrong = [];

        // Work that is neither a request's nor an operation's fills the pool at the same time.
        await host.TextAsync("/occupy?items=60&ms=60&seconds=2");
        var blocking = Work.BlockAsync(host);
        wrong.AddRange(await Work.RunAsync(host));
        await Work.AskProbeAsync(host, lifeline);
        wrong.AddRange(await Work.AskHealthAsync(host));
        wrong.AddRange(await blocking);
        var sleeping = Work.SleepAsync(host, s_forWindows);
        await Work.AskProbeAsync(host, lifeline);
        wrong.AddRange(await Work.AskHealthAsync(host));
        wrong.AddRange(await sleeping);
        await host.PostAsync("/_threadpool/reset");
        await Work.AskProbeAsync(host, lifeline);
        return wrong;
    }

    // Each report stops at the next place that fails, and there may be a hundred of them.
    private static async Task ReportUntilItWorksAsync(FaultHostProcess host)
    {
        var works = false;
        for (var i = 0; i < MostReports && !works; i++)
        {
            using var answer = await host.Client.GetAsync(new Uri("/_threadpool", UriKind.Relative));
            works = answer.IsSuccessStatusCode;
        }
    }

    // After the faults AsyncProbe must count requests again.
    private static async Task MeasuresAsync(FaultHostProcess host)
    {
        var before = await CountPlainAsync(host);
        await Eventually.TrueAsync(
            async () => await host.TextAsync("/plain") == "plain" && await CountPlainAsync(host) > before,
            "AsyncProbe counts no request any more");
    }

    private static async Task<long> CountPlainAsync(FaultHostProcess host) =>
        (await host.ReportAsync()).GetProperty("endpoints").EnumerateArray()
            .Where(endpoint => endpoint.GetProperty("endpoint").GetString() == "GET /plain")
            .Sum(endpoint => endpoint.GetProperty("requests").GetInt64());

    private static async Task<HashSet<int>> ReachedAsync(FaultHostProcess host) => Numbers((await host.TextAsync("/faults/state")).Split('\n')[1]);

    private static HashSet<int> Numbers(string line) => [.. line.Split(',', StringSplitOptions.RemoveEmptyEntries).Select(Number)];

    private static string Range(Place[] batch) => batch.Length == 0 ? "nothing" : $"{batch[0].Id}..{batch[^1].Id}";

    private static string Join(IEnumerable<Place> places) => string.Join(',', places.Select(place => Text(place.Id)));

    private static string Text(int number) => number.ToString(CultureInfo.InvariantCulture);

    private static int Number(string text) => int.Parse(text, CultureInfo.InvariantCulture);

    [GeneratedRegex(@"Fault injected at place (\d+)")]
    private static partial Regex Injected();
}
