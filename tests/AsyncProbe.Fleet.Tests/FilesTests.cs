using System.Text.Json;
using System.Text.RegularExpressions;

namespace AsyncProbe.Fleet.Tests;

/// <summary>What lies in deploy, judged by the programs that will read it.</summary>
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
        var cases = await File.ReadAllTextAsync(Path.Combine(s_prometheus, "asyncprobe.tests.yml"));
        var runbook = await File.ReadAllTextAsync(Path.Combine(Repository.Folder, "docs", "fleet.md"));
        var names = AlertName().Matches(alerts).Select(m => m.Groups[1].Value).ToList();

        names.Count.ShouldBe(6);
        foreach (var name in names)
        {
            Regex.Count(cases, $"alertname: {name}\n").ShouldBeGreaterThanOrEqualTo(2, name);
            alerts.ShouldContain($"runbook: docs/fleet.md#{name.ToLowerInvariant()}\n");
            Regex.Match(runbook, $"\n### {name}\n+(?<text>[^#]+)").Groups["text"].Value.Length.ShouldBeGreaterThan(200, name);
        }
    }

    [Theory]
    [InlineData("asyncprobe-fleet")]
    [InlineData("asyncprobe-service")]
    public async Task Dashboard_HasTheTypesOfGrafana(string name)
    {
        var root = (await Tool.RunAsync("npm", ["root", "--global"])).Trim();
        var folder = Directory.CreateTempSubdirectory("asyncprobe-dashboard-");
        try
        {
            Directory.CreateSymbolicLink(Path.Combine(folder.FullName, "node_modules"), root);
            var json = await File.ReadAllTextAsync(Tool.Deploy("grafana", "dashboards", name + ".json"));

            // JSON has the texts of enumerations, and not their names.
            var file = Path.Combine(folder.FullName, "dashboard.ts");
            await File.WriteAllTextAsync(file, $$"""
                import type { Dashboard } from '@grafana/schema';
                type Plain<T> = T extends string ? `${T}` : T extends number | boolean | null | undefined ? T
                  : T extends (infer U)[] ? Plain<U>[] : T extends object ? { [K in keyof T]: Plain<T[K]> } : T;
                export const dashboard: Plain<Dashboard> = {{json}};
                """);
            await Tool.RunAsync(
                Path.Combine(root, "typescript", "bin", "tsc"),
                ["--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext", "--moduleResolution", "nodenext", "--target", "es2022",
                    file]);
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

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
