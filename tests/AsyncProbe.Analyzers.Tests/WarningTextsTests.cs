using AsyncProbe.Analyzers.Reports;
using AsyncProbe.Blocking.Kinds;
using static AsyncProbe.Analyzers.Tests.Reported;

namespace AsyncProbe.Analyzers.Tests;

/// <summary>What the analyzer says at a line and about a report that it cannot use.</summary>
[Trait("Category", ApprovedTexts.Category)]
public sealed class WarningTextsTests
{
    private static readonly (string Case, object Site)[] s_sites =
    [
        ("many waits", Site("Store.Load", 3)),
        ("one wait", Site("Store.Load", 3, count: 1, mean: 9.994)),
        ("another method to await", Site("Store.Load", 3, awaitable: "ReadAsync", mean: 45.67)),
        ("only some requests were watched", Site("Store.Load", 3, partial: true, mean: 12345.6)),
        ("seen by stack snapshots", Site("Store.Load", 3, sampled: true)),
        ("without a mean", Site("Store.Load", 3, mean: null)),
        ("three endpoints", Site("Store.Load", 3, endpoints: ["GET /a", "GET /b", "GET /c"])),
        ("five endpoints", Site("Store.Load", 3, endpoints: ["GET /a", "GET /b", "GET /c", "GET /d", "GET /e"])),
        ("more than a thousand endpoints", Site("Store.Load", 3, endpoints: [.. Enumerable.Range(1, 1100).Select(i => $"GET /{i}")])),
    ];

    private static readonly (string Case, string Report)[] s_unusable =
    [
        ("an empty file", ""),
        ("cut off", "{\"schema\": 1,\n\n \"sites\": [] "),
        ("without a colon", "{\"schema\": 1,\n \"sites\": [ {\"kind\": \"Lock\", \"at\" }]}"),
        ("without a name", "{1}"),
        ("without a value", "{\"schema\": }"),
        ("an unknown escape", "{\"schema\": 1, \"sites\": [\"\\q\"]}"),
        ("an open string", "{\"schema\": \"1}"),
        ("an unknown word", "{\"schema\": 1, \"sites\": [nothing]}"),
        ("more after the end", "{\"schema\": 1, \"sites\": []} }"),
        ("nested too deep", new string('[', 100)),
        ("another schema", "{\"schema\": 2, \"sites\": []}"),
        ("without call sites", "{\"schema\": 1}"),
    ];

    [Fact]
    public void Warnings_AreApproved()
    {
        var texts = new ApprovedTexts("AsyncProbe.Analyzers.Tests/Warnings");
        foreach (var (name, site) in s_sites)
        {
            texts.Add(name, Sentence(site));
        }

        foreach (var (name, report) in s_unusable)
        {
            texts.Add($"report: {name}", ReportReader.Read("blocked.asyncprobe.json", report).Problem.ShouldNotBeNull());
        }

        texts.Add("report: too large", ReportReader.TooLarge("blocked.asyncprobe.json", 70 << 20).Problem.ShouldNotBeNull());
        texts.ShouldBeApproved();
    }

    [Fact]
    public void Rules_AreApproved()
    {
        var texts = new ApprovedTexts("AsyncProbe.Analyzers.Tests/Rules");
        texts.Add(Rules.Report.Id, Rules.Report.Title.ToString(null));
        foreach (var kind in Enum.GetValues<WaitKind>())
        {
            var rule = Rules.Get(kind);
            texts.Add(rule.Id, $"{rule.Title.ToString(null)}\n{Sentence(Site("Store.Load", 3, kind.Name(), awaitable: null))}");
        }

        texts.ShouldBeApproved();
    }

    private static string Sentence(object site) => SiteSentence.Create(ReportReader.Read("asyncprobe.json", Server(site)).Sites.Single());
}
