using System.Text.Json;

namespace AsyncProbe.Fleet.Tests;

/// <summary>Three replicas, one of them starved, and what their operators see of that.</summary>
public sealed class FleetTests
{
    private const string Starved = $"asyncprobe_thread_pool_state{{asyncprobe_state=\"starved\",instance=\"{Replicas.Guilty}\"}} == 1";

    private static readonly TimeSpan s_timeout = TimeSpan.FromMinutes(3);

    [Fact]
    public async Task StarvedReplica_IsToldAndShownFirst_WithItsEndpointAndItsLine()
    {
        await using var webhook = await Webhook.StartAsync();
        await using var collector = await Collector.StartAsync();
        await using var replicas = await Replicas.StartAsync(collector);
        await using var monitoring = await Monitoring.StartAsync(replicas, webhook.Address);

        // The alert first, because operators look at the dashboard after it. On a crowded machine another replica may also starve briefly.
        await Eventually.TrueAsync(
            async () => (await monitoring.QueryAsync(Starved)).Count > 0, () => $"nobody is starved:\n{monitoring.Output}", s_timeout);
        await Eventually.TrueAsync(
            () => webhook.Has("AsyncProbeStarved", Replicas.Guilty),
            () => $"no alert came:\n{monitoring.Output}",
            TimeSpan.FromSeconds(30));

        var missing = "nothing asked";
        await Eventually.TrueAsync(
            async () => (missing = string.Join('\n', await MissingAsync(monitoring, await LineAsync(replicas)))).Length == 0,
            () => missing,
            s_timeout);

        await RulesShouldWorkAsync(monitoring);
        await RelayShouldGuardAsync(replicas);
        await Tool.RunAsync("promtool", ["check", "metrics"], await replicas.LifelineAsync("/metrics"));

        // Only the pool still changes, so what came over OTLP must match the text.
        await replicas.EndLoadsAsync();
        var differences = "nothing compared";
        await Eventually.TrueAsync(
            async () => (differences = string.Join('\n', await DifferencesAsync(replicas, collector))).Length == 0,
            () => differences,
            s_timeout);
    }

    /// <summary>Series that only one of the two ways has, or whose values differ.</summary>
    private static async Task<List<string>> DifferencesAsync(Replicas replicas, Collector collector)
    {
        List<string> differences = [];
        foreach (var (replica, _, _) in replicas.Targets)
        {
            var (export, text) = (collector.SeriesOf(replica), await replicas.TextAsync(replica));
            differences.AddRange(export.Keys.Except(text.Keys).Select(series => $"{replica}, only exported: {series}"));
            differences.AddRange(text.Keys.Except(export.Keys).Select(series => $"{replica}, only in the text: {series}"));
            differences.AddRange(text
                .Where(series => !series.Key.StartsWith("asyncprobe_thread_pool_", StringComparison.Ordinal)
                    && export.TryGetValue(series.Key, out var value) && Math.Abs(value - series.Value) > 1e-9)
                .Select(series => $"{replica}, {series.Key} is {series.Value}, and {export[series.Key]} exported"));
        }

        return differences;
    }

    /// <summary>Panels whose query returns nothing, or doesn't name the guilty one first.</summary>
    private static async Task<List<string>> MissingAsync(Monitoring monitoring, (string Method, int Line) guilty)
    {
        List<string> missing = [];
        foreach (var (board, panel) in new[] { "asyncprobe-fleet", "asyncprobe-service" }.SelectMany(
            b => Dashboard.Read(b).Panels.Select(p => (b, p))))
        {
            foreach (var query in panel.Queries)
            {
                var filled = query
                    .Replace("$__rate_interval", "15s", StringComparison.Ordinal)
                    .Replace("$job", board == "asyncprobe-fleet" ? ".*" : "sample", StringComparison.Ordinal)
                    .Replace("$instance", Replicas.Guilty, StringComparison.Ordinal);
                var rows = await monitoring.QueryAsync(filled);
                if (rows.Count == 0 || !IsGuilty(rows[0].GetProperty("metric"), guilty))
                {
                    missing.Add($"{board}, {panel.Title}: {(rows.Count == 0 ? "no rows" : rows[0])} for {filled}");
                }
            }
        }

        return missing;
    }

    private static bool IsGuilty(JsonElement labels, (string Method, int Line) guilty)
    {
        return Is("instance", Replicas.Guilty) && Is("http_route", Replicas.GuiltyRoute) && Is("code_line_number", $"{guilty.Line}")
            && (!labels.TryGetProperty("code_function_name", out var method)
                || method.GetString()!.EndsWith(guilty.Method, StringComparison.Ordinal));

        bool Is(string label, string expected) => !labels.TryGetProperty(label, out var value) || value.GetString() == expected;
    }

    /// <summary>The line that the starved replica's own report blames.</summary>
    private static async Task<(string Method, int Line)> LineAsync(Replicas replicas)
    {
        var report = JsonDocument.Parse(await replicas.LifelineAsync("/")).RootElement;
        return report.GetProperty("sites").EnumerateArray().Where(s => s.GetProperty("line").ValueKind == JsonValueKind.Number)
            .Select(s => (s.GetProperty("at").GetString()!, s.GetProperty("line").GetInt32())).FirstOrDefault(("no line yet", 0));
    }

    private static async Task RulesShouldWorkAsync(Monitoring monitoring)
    {
        var rules = (await monitoring.RulesAsync()).GetProperty("groups").EnumerateArray()
            .SelectMany(g => g.GetProperty("rules").EnumerateArray()).ToList();

        rules.Count.ShouldBe(10);
        rules.ShouldAllBe(r => r.GetProperty("health").GetString() == "ok");
    }

    private static async Task RelayShouldGuardAsync(Replicas replicas)
    {
        (await replicas.RelayAsync("/metrics", null)).ShouldBe(401);
        (await replicas.RelayAsync("/metrics", "another")).ShouldBe(401);
        (await replicas.RelayWithTokenAsync("/metrics")).ShouldBe(200);

        // The scraper may not see the report and its page.
        (await replicas.RelayWithTokenAsync("/")).ShouldBe(404);
    }
}
