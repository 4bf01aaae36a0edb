using System.Text.Json;

namespace AsyncProbe.Fleet.Tests;

/// <summary>Three replicas, one of them starved, and what its operators see of it.</summary>
public sealed class FleetTests
{
    private static readonly TimeSpan s_timeout = TimeSpan.FromMinutes(3);

    [Fact]
    public async Task StarvedReplica_IsToldAndShownFirst_WithItsEndpointAndItsLine()
    {
        await using var webhook = await Webhook.StartAsync();
        await using var replicas = await Replicas.StartAsync();
        await using var monitoring = await Monitoring.StartAsync(replicas, webhook.Address);

        // The alert first: nobody looks at a dashboard before.
        await Eventually.TrueAsync(
            async () => (await monitoring.QueryAsync("asyncprobe_thread_pool_state{asyncprobe_state=\"starved\"} == 1")).Count > 0,
            () => $"nobody is starved:\n{monitoring.Output}",
            s_timeout);
        await Eventually.TrueAsync(
            () => webhook.Find("AsyncProbeStarved") is not null, () => $"no alert came:\n{monitoring.Output}", TimeSpan.FromSeconds(30));
        webhook.Find("AsyncProbeStarved")!.Value.GetProperty("instance").GetString().ShouldBe(Replicas.Guilty);

        var missing = "nothing asked";
        await Eventually.TrueAsync(
            async () => (missing = string.Join('\n', await MissingAsync(monitoring, await LineAsync(replicas)))).Length == 0,
            () => missing,
            s_timeout);

        await RulesShouldWorkAsync(monitoring);
        await RelayShouldGuardAsync(replicas);
        await Tool.RunAsync("promtool", ["check", "metrics"], await replicas.LifelineAsync("/metrics"));
    }

    /// <summary>Panels whose query gives nothing, or names somebody else first.</summary>
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

        // The report and its page are not the scraper's.
        (await replicas.RelayWithTokenAsync("/")).ShouldBe(404);
    }
}
