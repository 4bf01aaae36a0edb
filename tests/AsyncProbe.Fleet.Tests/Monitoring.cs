using System.Text.Json;
using System.Text.RegularExpressions;

namespace AsyncProbe.Fleet.Tests;

/// <summary>A real Prometheus and a real Alertmanager with the files of deploy. The test changes only addresses and intervals.</summary>
internal sealed partial class Monitoring : IAsyncDisposable
{
    private const string Ready = "/-/ready";

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("asyncprobe-monitoring-");
    private Daemon? _alertmanager;
    private Daemon? _prometheus;

    public string Output => $"{_prometheus?.Output}\n{_alertmanager?.Output}";

    public static async Task<Monitoring> StartAsync(Replicas replicas, Uri webhook)
    {
        var monitoring = new Monitoring();
        try
        {
            var alertmanager = await monitoring.StartAlertmanagerAsync(webhook);
            await monitoring.StartPrometheusAsync(replicas, alertmanager);
            return monitoring;
        }
        catch
        {
            await monitoring.DisposeAsync();
            throw;
        }
    }

    /// <summary>The rows of an instant query, in order.</summary>
    public async Task<IReadOnlyList<JsonElement>> QueryAsync(string query) =>
        [.. (await GetAsync("/api/v1/query?query=" + Uri.EscapeDataString(query))).GetProperty("result").EnumerateArray()];

    public Task<JsonElement> RulesAsync() => GetAsync("/api/v1/rules");

    public async ValueTask DisposeAsync()
    {
        await (_prometheus?.DisposeAsync() ?? ValueTask.CompletedTask);
        await (_alertmanager?.DisposeAsync() ?? ValueTask.CompletedTask);
        _folder.Delete(recursive: true);
    }

    private async Task<JsonElement> GetAsync(string path)
    {
        using var response = await _prometheus!.Client.GetAsync(new Uri(path, UriKind.Relative));
        var text = await response.Content.ReadAsStringAsync();
        response.IsSuccessStatusCode.ShouldBeTrue($"{path}: {text}");
        return JsonDocument.Parse(text).RootElement.GetProperty("data");
    }

    private async Task<int> StartAlertmanagerAsync(Uri webhook)
    {
        var port = FreePort.Take();
        var configuration = await File.ReadAllTextAsync(Tool.Deploy("alertmanager", "alertmanager.yml"));
        var file = Write("alertmanager.yml", configuration
            .Replace("http://127.0.0.1:5001/alerts", webhook.ToString(), StringComparison.Ordinal)
            .Replace("group_wait: 10s", "group_wait: 0s\n  group_interval: 1s", StringComparison.Ordinal));
        _alertmanager = await Daemon.StartAsync(
            "prometheus-alertmanager", port, Ready, $"--config.file={file}", $"--storage.path={_folder.FullName}/alertmanager",
            $"--web.listen-address=127.0.0.1:{port}", "--cluster.listen-address=");
        return port;
    }

    private async Task StartPrometheusAsync(Replicas replicas, int alertmanager)
    {
        var port = FreePort.Take();
        Write("rules.yml", await File.ReadAllTextAsync(Tool.Deploy("prometheus", "asyncprobe.rules.yml")));
        var alerts = await File.ReadAllTextAsync(Tool.Deploy("prometheus", "asyncprobe.alerts.yml"));
        Write("alerts.yml", WaitingTime().Replace(alerts, "for: 1s\n"));
        var targets = string.Concat(replicas.Targets.Select(t => $$"""

                  - targets: ["{{t.Address}}"]
                    labels: { instance: {{t.Name}}, __metrics_path__: "{{t.Path}}" }
            """));
        var file = Write("prometheus.yml", $$"""
            global: { scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s }
            rule_files: [rules.yml, alerts.yml]
            alerting:
              alertmanagers:
                - static_configs: [{ targets: ["127.0.0.1:{{alertmanager}}"] }]
            scrape_configs:
              - job_name: sample
                authorization: { credentials_file: "{{replicas.TokenFile}}" }
                static_configs:{{targets}}
            """);
        _prometheus = await Daemon.StartAsync(
            "prometheus", port, Ready, $"--config.file={file}", $"--storage.tsdb.path={_folder.FullName}/data",
            $"--web.listen-address=127.0.0.1:{port}");
    }

    private string Write(string name, string text)
    {
        var file = Path.Combine(_folder.FullName, name);
        File.WriteAllText(file, text);
        return file;
    }

    [GeneratedRegex("for: \\d+[sm]\n")]
    private static partial Regex WaitingTime();
}
