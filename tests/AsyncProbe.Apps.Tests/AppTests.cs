using System.Globalization;
using AsyncProbe.Apps.Tests.Bookshop;
using AsyncProbe.Apps.Tests.Notes;
using AsyncProbe.Apps.Tests.Running;
using AsyncProbe.Apps.Tests.Warehouse;
using Xunit.Abstractions;

namespace AsyncProbe.Apps.Tests;

/// <summary>Compares what AsyncProbe says about three applications with what is true of each of their endpoints.</summary>
public sealed class AppTests(ITestOutputHelper output)
{
    // Some twenty endpoints each hold a thread for a few milliseconds, and a machine that stalls can tip one or two of the verdicts. The
    // goal is zero.
    private const int DoubtfulVerdicts = 2;

    // Each application is built and run in one way here; the tests below cover the other ways.
    [Fact]
    public Task IdentityApi_IsToldTruly_AsItIsDeveloped() =>
        JudgeAsync(new NotesApp(), new AppSetting("Development", "Debug") { IsRun = true });

    [Fact]
    public Task Mvc_IsToldTruly_AsItIsShipped_WithSnapshots() =>
        JudgeAsync(new BookshopApp(), new AppSetting("Production", "Release") { HasSnapshots = true, IsRun = true });

    [Fact]
    public Task ModularApi_IsToldTruly_WhenItsBuildIsOptimized() => JudgeAsync(new WarehouseApp(), new AppSetting("Development", "Release"));

    [Theory]
    [InlineData("Development", "Debug", true, false)]
    [InlineData("Development", "Release", false, false)]
    [InlineData("Production", "Release", false, false)]
    [InlineData("Production", "Release", true, true)]
    [Trait("Category", "Full")]
    public Task IdentityApi_IsToldTruly_InOtherSettings(string environment, string configuration, bool hasSnapshots, bool isRun) =>
        JudgeAsync(new NotesApp(), new AppSetting(environment, configuration) { HasSnapshots = hasSnapshots, IsRun = isRun });

    [Theory]
    [InlineData("Development", "Debug", false, true)]
    [InlineData("Development", "Debug", true, false)]
    [InlineData("Development", "Release", false, false)]
    [InlineData("Production", "Release", false, false)]
    [Trait("Category", "Full")]
    public Task Mvc_IsToldTruly_InOtherSettings(string environment, string configuration, bool hasSnapshots, bool isRun) =>
        JudgeAsync(new BookshopApp(), new AppSetting(environment, configuration) { HasSnapshots = hasSnapshots, IsRun = isRun });

    [Theory]
    [InlineData("Development", "Debug", false, true)]
    [InlineData("Development", "Debug", true, false)]
    [InlineData("Production", "Release", false, false)]
    [InlineData("Production", "Release", true, true)]
    [Trait("Category", "Full")]
    public Task ModularApi_IsToldTruly_InOtherSettings(string environment, string configuration, bool hasSnapshots, bool isRun) =>
        JudgeAsync(new WarehouseApp(), new AppSetting(environment, configuration) { HasSnapshots = hasSnapshots, IsRun = isRun });

    private async Task JudgeAsync(JudgedApp app, AppSetting setting)
    {
        await using var process = await AppProcess.StartAsync(app.Name, setting);
        var load = new Load(process.Client);
        var calls = await app.CallsAsync(process, load, setting);
        await load.RunAsync(calls);
        await app.ConverseAsync(process, load);
        app.CountOwnRequests(load);
        var report = await process.ReportAsync(load.Sent.Values.Sum());

        var truths = app.Truths().Select(t => t with { Requests = load.Sent[t.Endpoint], Verdict = VerdictOf(t) }).ToList();
        truths.Select(t => t.Endpoint).ShouldBe(load.Sent.Keys, ignoreOrder: true, "every endpoint that is asked has its truth");
        var score = Judge.Try(truths, new Evidence
        {
            Setting = new Setting { IsDevelopment = setting.IsDevelopment, HasSnapshots = setting.HasSnapshots },
            Report = report,
            Answers = load.Answers,
            Log = process.Output,
        });

        LibraryPlaces.Try(truths, report, score);
        var counted = AppProcess.Rows(report).Sum(e => e.GetProperty("requests").GetInt64());
        output.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture, $"{app.Name}, {setting}: {load.Sent.Values.Sum()} requests sent, {counted} counted."));
        var rows = new Reported(report);
        var crowdedOut = score.Findings.Where(f => Crowd.Hides(rows.Find(f.Endpoint)?.Json, f)).ToList();
        if (setting.IsRun)
        {
            var (run, ofRun) = await RunJudge.TryAsync(process, calls, truths);
            crowdedOut.AddRange(ofRun.Findings.Where(f => Crowd.Hides(RunJudge.Find(run, f.Endpoint), f)));
            score.Add(ofRun);
        }

        var doubtful = score.Findings.Except(crowdedOut).Where(f => f.Aspect == Aspect.Verdict).ToList();
        foreach (var finding in score.Findings)
        {
            output.WriteLine((crowdedOut.Contains(finding) || doubtful.Contains(finding) ? "let pass: " : "") + finding);
        }

        string.Join('\n', score.Findings.Except(crowdedOut).Except(doubtful)).ShouldBeEmpty();
        doubtful.Count.ShouldBeLessThanOrEqualTo(DoubtfulVerdicts, string.Join('\n', doubtful));
        counted.ShouldBe(load.Sent.Values.Sum());
    }

    // Code that logs may be blocked on the logger's lock for most of a few milliseconds. That verdict is right; the lock isn't the app's.
    private static string? VerdictOf(EndpointTruth truth) =>
        truth is { MayBlockInLibraries: true, Verdict: { } verdict } && verdict.Contains("fine", StringComparison.Ordinal)
            && !verdict.Contains("lockContention", StringComparison.Ordinal)
            ? verdict + "|lockContention"
            : truth.Verdict;
}
