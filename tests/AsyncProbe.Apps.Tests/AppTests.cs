using System.Globalization;
using AsyncProbe.Apps.Tests.Bookshop;
using AsyncProbe.Apps.Tests.Notes;
using AsyncProbe.Apps.Tests.Running;
using AsyncProbe.Apps.Tests.Warehouse;
using Xunit.Abstractions;

namespace AsyncProbe.Apps.Tests;

/// <summary>What AsyncProbe says about three applications, against what is true of each of their endpoints.</summary>
public sealed class AppTests(ITestOutputHelper output)
{
    // Verdicts of some twenty endpoints: what a machine with fifteen waiting threads a core does to waits of a few milliseconds decides some of
    // them, a logger's lock whose holder has no core for example. Sites, kinds, lines, figures and contradictions have to be right, each of them.
    private const int DoubtfulVerdicts = 2;
    private const double ACrowd = 0.5;

    [Theory]
    [InlineData("Development", "Debug")]
    [InlineData("Development", "Release")]
    [InlineData("Production", "Release")]
    public Task IdentityApi_IsToldTruly(string environment, string configuration) => JudgeAsync(new NotesApp(), new AppSetting(environment, configuration));

    [Theory]
    [InlineData("Development", "Debug")]
    [InlineData("Development", "Release")]
    [InlineData("Production", "Release")]
    public Task Mvc_IsToldTruly(string environment, string configuration) => JudgeAsync(new BookshopApp(), new AppSetting(environment, configuration));

    [Theory]
    [InlineData("Development", "Debug")]
    [InlineData("Development", "Release")]
    [InlineData("Production", "Release")]
    public Task ModularApi_IsToldTruly(string environment, string configuration) => JudgeAsync(new WarehouseApp(), new AppSetting(environment, configuration));

    private async Task JudgeAsync(JudgedApp app, AppSetting setting)
    {
        await using var process = await AppProcess.StartAsync(app.Name, setting);
        var load = new Load(process.Client);
        await load.RunAsync(await app.CallsAsync(process, load, setting));
        await app.ConverseAsync(process, load);
        app.CountOwnRequests(load);
        var report = await process.ReportAsync(load.Sent.Values.Sum());

        var truths = app.Truths().Select(t => t with { Requests = load.Sent[t.Endpoint] }).ToList();
        truths.Select(t => t.Endpoint).ShouldBe(load.Sent.Keys, ignoreOrder: true, "every endpoint that is asked has its truth");
        var score = Judge.Try(truths, new Evidence
        {
            Setting = new Setting { IsDevelopment = setting.IsDevelopment, HasSnapshots = setting.HasSnapshots },
            Report = report,
            Answers = load.Answers,
            Log = process.Output,
        });

        LibraryPlaces.Try(truths, report, score);
        var counted = report.GetProperty("endpoints").EnumerateArray().Sum(e => e.GetProperty("requests").GetInt64());
        output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{app.Name}, {setting}: {load.Sent.Values.Sum()} requests sent, {counted} counted."));
        var rows = new Reported(report);
        var spunAway = score.Findings.Where(f => f.Aspect is Aspect.Verdict or Aspect.Site or Aspect.Figure && IsCrowded(rows, f)).ToList();
        var doubtful = score.Findings.Except(spunAway).Where(f => f.Aspect == Aspect.Verdict).ToList();
        foreach (var finding in score.Findings)
        {
            output.WriteLine((spunAway.Contains(finding) || doubtful.Contains(finding) ? "let pass: " : "") + finding);
        }

        string.Join('\n', score.Findings.Except(spunAway).Except(doubtful).Where(f => !KnownAppUntruths.Covers(app.Name, f))).ShouldBeEmpty();
        doubtful.Count.ShouldBeLessThanOrEqualTo(DoubtfulVerdicts, string.Join('\n', doubtful));
        counted.ShouldBe(load.Sent.Values.Sum());
    }

    // Where threads wait for a core for most of the time, a wait of a few milliseconds that spins first has passed before it blocks: its time is
    // then a wait for a core, there is nothing for the hook to see, and the advice rightly says so (docs/blocking.md).
    private static bool IsCrowded(Reported rows, Finding finding) =>
        rows.Find(finding.Endpoint) is { } row && row.CpuWait.Total > row.Held.Total * ACrowd;
}
