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
            Setting = new Setting { IsDevelopment = setting.IsDevelopment },
            Report = report,
            Answers = load.Answers,
            Log = process.Output,
        });

        LibraryPlaces.Try(truths, report, score);
        var counted = report.GetProperty("endpoints").EnumerateArray().Sum(e => e.GetProperty("requests").GetInt64());
        output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{app.Name}, {setting}: {load.Sent.Values.Sum()} requests sent, {counted} counted."));
        foreach (var finding in score.Findings)
        {
            output.WriteLine((KnownAppUntruths.Covers(app.Name, finding) ? "known: " : "") + finding);
        }

        var unlisted = score.Findings.Where(f => !KnownAppUntruths.Covers(app.Name, f)).Select(f => f.ToString()).ToList();
        unlisted.Count.ShouldBeLessThanOrEqualTo(KnownUntruths.UnlistedByChance, string.Join('\n', unlisted));
        counted.ShouldBe(load.Sent.Values.Sum());
    }
}
