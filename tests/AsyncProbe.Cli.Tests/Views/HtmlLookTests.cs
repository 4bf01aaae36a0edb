using System.Text.RegularExpressions;
using AsyncProbe.Cli.Comparison;
using AsyncProbe.Cli.Tests.Runs;
using AsyncProbe.Cli.Views;
using AsyncProbe.Cli.Views.Html;

namespace AsyncProbe.Cli.Tests.Views;

[Trait("Category", "Logic")]
public class HtmlLookTests
{
    /// <summary>Users look from one to the other, so red means blocked in both.</summary>
    [Fact]
    public void Colours_AreThoseOfTheServersPage()
    {
        var page = Colours("src/AsyncProbe/Reporting/Page/page.css");
        var report = Colours("src/AsyncProbe.Cli/Views/Html/report.css");

        report.Count.ShouldBeGreaterThan(20);
        foreach (var (name, values) in report.GroupBy(colour => colour.Name)
            .ToDictionary(group => group.Key, group => group.Select(colour => colour.Value)))
        {
            page.Where(colour => colour.Name == name).Select(colour => colour.Value).ShouldBe(values, $"--{name}, light and dark");
        }
    }

    [Fact]
    public void Bars_AreLinear()
    {
        var comparison = ComparisonBuilder.Build(
            [("a", [Facts.Run(10)]), ("b", [Facts.Run(40)]), ("c", [Facts.Run(100)])], [], freshServer: false, interrupted: false);

        var html = HtmlReport.Create(ResultText.From(comparison));

        Regex.Matches(html, "class=\"bar\"><i style=\"width:([0-9.]+)%").Select(match => match.Groups[1].Value)
            .ShouldBe(["10", "40", "100"]);
        html.ShouldNotContain("logarithmic</p>");
    }

    /// <summary>On a phone a row is shown as a block, and each figure is labelled.</summary>
    [Fact]
    public void Cells_CarryTheirHeading()
    {
        var html = HtmlReport.Create(ResultText.From(Facts.Run(10)));

        Regex.Count(html, "<td>").ShouldBe(0);
        html.ShouldContain("<td data-label=\"p95\">");
    }

    private static List<(string Name, string Value)> Colours(string file) =>
        [.. Regex.Matches(File.ReadAllText(Path.Combine(Repository.Folder, file)), "--([a-z-]+): (#[0-9a-f]{6});").Select(
            match => (match.Groups[1].Value, match.Groups[2].Value))];
}
