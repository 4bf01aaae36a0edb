extern alias cli;
using AsyncProbe.Blocking.Kinds;
using cli::AsyncProbe.Cli.Joining;
using cli::AsyncProbe.Cli.Server;
using cli::AsyncProbe.Cli.Sites;

namespace AsyncProbe.Analyzers.Tests;

/// <summary>The analyzer and the command's SARIF files say the same.</summary>
public sealed class RulesTests
{
    [Fact]
    public void Rules_HaveTheNamesOfTheCommands() =>
        Rules.Waits.Select(rule => (rule.Id, rule.Title.ToString(null).Split(": ")[1]))
            .ShouldBe(WaitRule.All.Select(rule => (rule.Name, rule.Kind)));

    [Fact]
    public void Rules_BelongToTheirKinds() =>
        Enum.GetValues<WaitKind>().ShouldAllBe(kind => Rules.Get(kind).Id == "Blocking" + kind && Rules.FindKind(kind.Name()) == kind);

    [Fact]
    public void Rules_AreInTheDocuments()
    {
        var document = File.ReadAllText(Path.Combine(Repository.Folder, "docs", "analyzers.md"));

        Rules.Waits.Append(Rules.Report).Where(rule => !document.Contains($"`{rule.Id}`", StringComparison.Ordinal)).ShouldBeEmpty();
        document.ShouldContain(BlockedLineAnalyzer.MinimumOption);
    }

    [Theory]
    [InlineData("Task.Wait", "await", 4310, 212.4, false, false, 1)]
    [InlineData("SyncDb", "ExecuteReaderAsync", 1, 9.994, true, false, 2)]
    [InlineData("Sleep", "Task.Delay", 3, 45.678, false, true, 5)]
    [InlineData("Lock", null, 1_234_567, 12345.6, false, false, 3)]
    [InlineData("a newer kind", null, 2, null, true, false, 4)]
    public void Sentence_IsTheCommands(string kind, string? awaitable, long count, double? mean, bool partial, bool sampled, int endpoints)
    {
        string[] names = [.. Enumerable.Range(1, endpoints).Select(i => $"GET /orders/{i}")];
        var known = new KnownSite
        {
            Kind = kind, Method = "Store.Load", File = "Store.cs", Line = 2, Endpoints = names, Count = count, MeanMs = mean,
            Partial = partial,
            Sampled = sampled, Awaitable = awaitable,
        };
        var sentence = Findings.From([ServerSide.Without(ServerStatus.Joined, null) with { KnownSites = [known] }], path => path)
            .Single().Sentence;

        var report = Reported.Server(Reported.Site(
            "Store.Load", 2, kind, awaitable, count: count, mean: mean, partial: partial, sampled: sampled, endpoints: names));
        Reports.SiteSentence.Create(Reports.ReportReader.Read("asyncprobe.json", report).Sites.Single()).ShouldBe(sentence);
    }
}
