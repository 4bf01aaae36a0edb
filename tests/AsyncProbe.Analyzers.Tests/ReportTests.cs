using System.Text;
using AsyncProbe.Analyzers.Reports;
using static AsyncProbe.Analyzers.Tests.Reported;

namespace AsyncProbe.Analyzers.Tests;

/// <summary>Reports that are broken, large, empty or from another program.</summary>
public sealed class ReportTests
{
    private const string Store = "using System.Threading.Tasks;\nclass Store { void Load() {\nTask.Delay(1).Wait();\n} }";

    [Theory]
    [InlineData("", 1)]
    [InlineData("{\"schema\": 1,\n \"sites\": [ {\"kind\": \"Lock\", \"at\" }]}", 2)]
    [InlineData("{\"schema\": 1,\n\n \"sites\": [] ", 3)]
    [InlineData("{\"schema\": 2, \"sites\": []}", 1)]
    [InlineData("{\"schema\": 1}", 1)]
    [InlineData("[]", 1)]
    public async Task UnusableReport_IsOneWarning_AtItsPlace(string report, int line)
    {
        var warning = (await Compiled.From(Store).With(report).WarnAsync()).Single();

        warning.ShouldStartWith($"blocked.asyncprobe.json:{line} AsyncProbeReport The report blocked.asyncprobe.json ");
    }

    [Fact]
    public async Task EmptyReport_IsNoWarning() => (await Compiled.From(Store).With(Server()).WarnAsync()).ShouldBeEmpty();

    [Theory]
    [InlineData("{ broken", "/repo/settings.json")]
    [InlineData("{}", "/repo/stylecop.json")]
    [InlineData("{ broken", "/repo/asyncprobe.txt")]
    public async Task FileOfSomebodyElse_IsNoWarning(string text, string path) =>
        (await Compiled.From(Store).With(text, path).WarnAsync()).ShouldBeEmpty();

    [Fact]
    public async Task GoodReport_IsUsed_WhenAnotherIsBroken() =>
        (await Compiled.From(Store).With("{").With(Server(Site("Store.Load", 3)), "/repo/report.json").WarnAsync()).Select(
            w => w.Split(' ')[1])
            .ShouldBe(["BlockingTaskWait", "AsyncProbeReport"], ignoreOrder: true);

    [Fact]
    public async Task HugeReport_IsRefused()
    {
        var huge = Server(Site("Store.Load", 3)) + new string(' ', ReportReader.LargestText);

        (await Compiled.From(Store).With(huge).WarnAsync()).Single().ShouldContain("AsyncProbeReport");
    }

    [Fact]
    public void ReportOfManySites_IsReadUpToALimit()
    {
        var one = System.Text.Json.JsonSerializer.Serialize(Site("Store.Load", 3))
            .Replace("\"line\":3", "\"line\":#", StringComparison.Ordinal);
        var sites = string.Join(
            ',', Enumerable.Range(1, ReportReader.MostSites + 5).Select(i => one.Replace("#", $"{i}", StringComparison.Ordinal)));

        ReportReader.Read("a.asyncprobe.json", $"{{\"schema\":1,\"sites\":[{sites}]}}").Sites.Count.ShouldBe(ReportReader.MostSites);
    }

    [Fact]
    public void DeepReport_IsRefused() =>
        ReportReader.Read("asyncprobe.json", new string('[', 100_000)).Problem.ShouldNotBeNull().ShouldContain("nested deeper than 64");

    [Fact]
    public void Reader_NeverThrows_WhateverIsCutOrChanged()
    {
        var report = Server(Site("Store.<Load>d__1.MoveNext", 3, source: "a \"b\" \\ \u1234", awaitable: null), Site("Store.Load", 4));
        for (var i = 0; i < report.Length; i++)
        {
            ReportReader.Read("asyncprobe.json", report[..i]).Problem.ShouldNotBeNull();
            foreach (var other in "{}[]\",:<0-e\\n\u0001 ")
            {
                var changed = new StringBuilder(report) { [i] = other }.ToString();
                var read = ReportReader.Read("asyncprobe.json", changed);
                read.Position.ShouldBeInRange(0, changed.Length);
            }
        }
    }

    [Fact]
    public async Task HostileText_StaysInItsLine()
    {
        var warning = (await Compiled.From(Store)
            .With(Server(Site("Store.Load", 3, endpoints: "GET /a\n::error::{0}" + new string('x', 5000)))).WarnAsync()).Single();

        warning.ShouldNotContain("\n");
        warning.ShouldContain("GET /a ::error::{0}");
        warning.Length.ShouldBeLessThan(500);
    }
}
