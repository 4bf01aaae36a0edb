using System.Text.Json;

namespace AsyncProbe.Fleet.Tests;

/// <summary>A dashboard of deploy: its queries and the texts next to them.</summary>
/// <param name="Panels">All panels that have a query.</param>
internal sealed record Dashboard(IReadOnlyList<Panel> Panels)
{
    public static Dashboard Read(string name)
    {
        var json = JsonDocument.Parse(File.ReadAllText(Tool.Deploy("grafana", "dashboards", name + ".json"))).RootElement;
        return new Dashboard([.. json.GetProperty("panels").EnumerateArray().Where(p => p.TryGetProperty("targets", out _)).Select(Read)]);
    }

    private static Panel Read(JsonElement panel)
    {
        var defaults = panel.GetProperty("fieldConfig").GetProperty("defaults");
        return new Panel(
            panel.GetProperty("title").GetString()!,
            panel.GetProperty("description").GetString()!,
            defaults.GetProperty("unit").GetString()!,
            [.. panel.GetProperty("targets").EnumerateArray().Select(t => t.GetProperty("expr").GetString()!)],
            defaults.TryGetProperty("links", out var links)
                ? [.. links.EnumerateArray().Select(l => l.GetProperty("url").GetString()!)]
                : []);
    }
}

internal sealed record Panel(string Title, string Description, string Unit, IReadOnlyList<string> Queries, IReadOnlyList<string> Links);
