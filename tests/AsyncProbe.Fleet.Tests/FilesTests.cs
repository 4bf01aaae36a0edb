using System.Text.Json;
using System.Text.RegularExpressions;

namespace AsyncProbe.Fleet.Tests;

/// <summary>The files in deploy, validated by the programs that will read them.</summary>
public sealed partial class FilesTests
{
    private static readonly string s_prometheus = Tool.Deploy("prometheus");

    [Theory]
    [InlineData("asyncprobe.rules.yml")]
    [InlineData("asyncprobe.alerts.yml")]
    public async Task Rules_AreValid(string file) =>
        (await Tool.RunAsync("promtool", ["check", "rules", "--lint-fatal", Path.Combine(s_prometheus, file)])).ShouldContain("SUCCESS");

    [Fact]
    public async Task Alerts_ComeAndStayAway_AsTheirCasesSay() =>
        await Tool.RunAsync("promtool", ["test", "rules", Path.Combine(s_prometheus, "asyncprobe.tests.yml")]);

    [Fact]
    public async Task Configurations_AreValid()
    {
        await Tool.RunAsync("promtool", ["check", "config", Path.Combine(s_prometheus, "prometheus.yml")]);
        await Tool.RunAsync("amtool", ["check-config", Tool.Deploy("alertmanager", "alertmanager.yml")]);
    }

    [Fact]
    public async Task Alert_HasTwoCasesAndASectionThatSaysWhatToDo()
    {
        var alerts = await File.ReadAllTextAsync(Path.Combine(s_prometheus, "asyncprobe.alerts.yml"));
        var cases = Yaml.Read("prometheus", "asyncprobe.tests.yml")["tests"]!.AsArray()
            .SelectMany(test => test!["alert_rule_test"]!.AsArray())
            .ToLookup(c => (string)c!["alertname"]!, c => c!["exp_alerts"]!.AsArray());
        var runbook = await File.ReadAllTextAsync(Path.Combine(Repository.Folder, "docs", "fleet.md"));
        var names = AlertName().Matches(alerts).Select(m => m.Groups[1].Value).ToList();

        names.Count.ShouldBe(6);
        foreach (var name in names)
        {
            cases[name].ShouldContain(expected => expected.Count > 0, $"no case in which {name} comes");
            cases[name].ShouldContain(expected => expected.Count == 0, $"no case in which {name} stays away");
            alerts.ShouldContain($"runbook: docs/fleet.md#{name.ToLowerInvariant()}\n");
            Regex.Match(runbook, $"\n### {name}\n+(?<text>[^#]+)").Groups["text"].Value.Length.ShouldBeGreaterThan(200, name);
        }
    }

    [Theory]
    [InlineData("asyncprobe-fleet")]
    [InlineData("asyncprobe-service")]
    public Task Dashboard_HasTheTypesOfGrafana(string name) => TypeCheck.CompileAsync(
        ("@grafana/schema", "Dashboard", File.ReadAllText(Tool.Deploy("grafana", "dashboards", name + ".json"))));

    [Theory]
    [InlineData("asyncprobe-fleet")]
    [InlineData("asyncprobe-service")]
    public void Dashboard_SaysWhatEachPanelShows_AndInWhichUnit(string name)
    {
        var panels = Dashboard.Read(name).Panels;

        panels.Count.ShouldBeGreaterThanOrEqualTo(10);
        panels.ShouldAllBe(p => p.Description.Length > 5 && p.Unit.Length > 0);
        JsonSerializer.Serialize(panels.SelectMany(p => p.Links)).ShouldContain("/_threadpool");
    }

    [GeneratedRegex("- alert: (\\w+)")]
    private static partial Regex AlertName();
}
