using AsyncProbe.Apps.Tests.Running;
using Xunit.Abstractions;

namespace AsyncProbe.Apps.Tests.Zoo;

/// <summary>Compares what AsyncProbe says about widely used libraries with what is true of each endpoint that uses one.</summary>
public sealed class ZooTests(ITestOutputHelper output)
{
    [Fact]
    public async Task Dozen_IsToldTruly()
    {
        var app = new ZooApp(
            "/restsharp", "/refit", "/polly/retry", "/dapper/sqlite", "/npgsql/async", "/redis", "/redis/async", "/fusioncache/miss",
            "/autofac/slow", "/autofac/graph", "/log4net", "/newtonsoft");

        await JudgeAsync(app, new AppSetting("Development", "Release") { HasSnapshots = true });
    }

    [Theory]
    [InlineData("Development", "Debug", false)]
    [InlineData("Development", "Release", true)]
    [InlineData("Production", "Release", false)]
    [InlineData("Production", "Release", true)]
    [Trait("Category", "Full")]
    public Task WholeZoo_IsToldTruly(string environment, string configuration, bool hasSnapshots) =>
        JudgeAsync(new ZooApp(), new AppSetting(environment, configuration) { HasSnapshots = hasSnapshots });

    private async Task JudgeAsync(ZooApp app, AppSetting setting)
    {
        var run = await ZooRun.RunAsync(app, setting);

        ZooResults.Write(setting, run.Table);
        output.WriteLine($"{ZooTable.Head}\n{run.Table.Row(setting.ToString())}\n{string.Join('\n', run.Table.Wrong)}\n");
        output.WriteLine(string.Join('\n', run.Score.Findings));
        var (unknown, _) = KnownUntruths.Apart(run.Wrong, ZooUntruths.Known);
        string.Join('\n', unknown).ShouldBeEmpty();
    }
}
