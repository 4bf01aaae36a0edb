using System.Globalization;
using System.Text.Json;
using Xunit.Abstractions;

namespace AsyncProbe.Faults.Tests;

/// <summary>
/// Each fault happens to a host with AsyncProbe and to one without it, under the same load, as often as <c>ASYNCPROBE_FAULT_PAIRS</c> says.
/// A fault may end a host. AsyncProbe must not end more of them, by none of its frames, and must measure again in the others.
/// </summary>
public sealed class FaultPairsTests(ITestOutputHelper output)
{
    private const int Pairs = 50;

    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(60);

    public static TheoryData<string> Names => [.. Faults.All.Select(fault => fault.Name)];

    [Theory]
    [MemberData(nameof(Names))]
    [Trait("Category", "Full")]
    public async Task Host_ComesThroughTheFault_AsWithoutAsyncProbe(string name)
    {
        var fault = Faults.All.Single(fault => fault.Name == name);
        var pairs = Environment.GetEnvironmentVariable("ASYNCPROBE_FAULT_PAIRS") is { Length: > 0 } text
            ? int.Parse(text, CultureInfo.InvariantCulture)
            : Pairs;
        List<PairOutcome> with = [], without = [];
        for (var i = 0; i < pairs; i++)
        {
            // Both at once, so that both have the same machine.
            var both = await Task.WhenAll(RunAsync(fault, isProbed: true), RunAsync(fault, isProbed: false));
            with.Add(both[0]);
            without.Add(both[1]);
            await KeepAsync(name, with, without);
        }

        output.WriteLine(PairRow.Of(name, with, without));
        with.ShouldAllBe(outcome => !outcome.IsOurs);
        with.Where(outcome => !outcome.HasDied).ShouldAllBe(outcome => outcome.HasRecovered);
    }

    private static async Task<PairOutcome> RunAsync(Fault fault, bool isProbed)
    {
        var lifeline = FreePort.Take();
        using var folder = fault.NeedsOpenCopy ? OpenCopy.Create() : null;
        await using var host = await FaultHostProcess.StartAsync(fault, isProbed, lifeline, folder?.Path);
        var (wrong, answers) = (0, 0);
        using var end = new CancellationTokenSource();
        var load = Task.Run(async () =>
        {
            while (!end.IsCancellationRequested && !host.Process.HasExited)
            {
                wrong += (await Work.RunAsync(host)).Count;
                answers += Work.Size(3);
            }
        });
        var hasHappened = await HappensAsync(fault, host);
        await end.CancelAsync();
        await load;
        if (answers == 0)
        {
            (wrong, answers) = ((await Work.RunAsync(host)).Count, Work.Size(3));
        }

        // A process that is out of memory takes a while to end.
        var recovered = await Eventually.BecomesTrueAsync(
            async () => host.Process.HasExited || (await AnswersAsync(fault, host) && (!isProbed || await HasReportAsync(host))), s_patience);
        var hasDied = host.Process.HasExited;
        return new PairOutcome(hasDied, hasDied && EndedBy.Us(host.Output), wrong, answers, hasHappened && recovered && !hasDied);
    }

    private static async Task<bool> AnswersAsync(Fault fault, FaultHostProcess host) =>
        (await Work.RunAsync(host)).All(wrong => fault.Unanswerable is { } path && wrong.StartsWith(path, StringComparison.Ordinal));

    private static async Task<bool> HappensAsync(Fault fault, FaultHostProcess host)
    {
        try
        {
            await fault.Happen(host);
            return true;
        }
        catch (Exception e) when (e is HttpRequestException or TaskCanceledException)
        {
            // It may well die of it.
            return true;
        }
        catch (InvalidOperationException)
        {
            return false;
        }
    }

    private static async Task<bool> HasReportAsync(FaultHostProcess host)
    {
        try
        {
            return (await host.ReportAsync()).GetProperty("endpoints").GetArrayLength() > 0;
        }
        catch (Exception e) when (e is HttpRequestException or TaskCanceledException or JsonException)
        {
            return false;
        }
    }

    private static async Task KeepAsync(string name, List<PairOutcome> with, List<PairOutcome> without)
    {
        if (Environment.GetEnvironmentVariable("ASYNCPROBE_FAULTS") is { Length: > 0 } folder)
        {
            Directory.CreateDirectory(folder);
            await File.WriteAllTextAsync(Path.Combine(folder, $"pairs {name}.md"), PairRow.Of(name, with, without) + "\n");
        }
    }
}
