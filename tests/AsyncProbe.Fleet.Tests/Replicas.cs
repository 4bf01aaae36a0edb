using System.Globalization;
using System.Net.Http.Headers;
using AsyncProbe.Tests.Reporting.Metrics;

namespace AsyncProbe.Fleet.Tests;

/// <summary>
/// Three replicas of the sample under different loads. One is starved by a sin, and is scraped through its lifeline and the relay of
/// deploy; the others are scraped like any service. All of them also send OTLP.
/// </summary>
internal sealed class Replicas : IAsyncDisposable
{
    /// <summary>The name of the starved replica.</summary>
    public const string Guilty = "replica-a";

    /// <summary>Its route.</summary>
    public const string GuiltyRoute = "/sins/monitor-wait";

    private const string Token = "a-token-of-the-test";

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("asyncprobe-fleet-");
    private readonly List<IAsyncDisposable> _parts = [];
    private readonly List<Load> _loads = [];
    private readonly Collector _collector;

    private Replicas(Collector collector) => _collector = collector;

    public int LifelinePort { get; } = FreePort.Take();

    public int RelayPort { get; } = FreePort.Take();

    /// <summary>Where each replica is scraped: address and path.</summary>
    public List<(string Name, string Address, string Path)> Targets { get; } = [];

    public string TokenFile => Path.Combine(_folder.FullName, "token");

    public static async Task<Replicas> StartAsync(Collector collector)
    {
        var all = new Replicas(collector);
        try
        {
            await all.StartPartsAsync();
            return all;
        }
        catch
        {
            await all.DisposeAsync();
            throw;
        }
    }

    /// <summary>The starved replica's own report, from its lifeline.</summary>
    public async Task<string> LifelineAsync(string path)
    {
        using var client = new HttpClient { Timeout = ChildProcess.Timeout };
        return await client.GetStringAsync(new Uri($"http://127.0.0.1:{LifelinePort}{path}"));
    }

    /// <summary>The relay's status code for a token.</summary>
    public async Task<int> RelayAsync(string path, string? token)
    {
        using var client = new HttpClient { Timeout = ChildProcess.Timeout };
        using var request = new HttpRequestMessage(HttpMethod.Get, new Uri($"http://127.0.0.1:{RelayPort}{path}"));
        request.Headers.Authorization = token is null ? null : new AuthenticationHeaderValue("Bearer", token);
        using var response = await client.SendAsync(request);
        return (int)response.StatusCode;
    }

    public Task<int> RelayWithTokenAsync(string path) => RelayAsync(path, Token);

    public async Task EndLoadsAsync()
    {
        foreach (var load in _loads)
        {
            await load.DisposeAsync();
        }

        _loads.Clear();
    }

    /// <summary>The series in a replica's own text.</summary>
    public async Task<IReadOnlyDictionary<string, double>> TextAsync(string replica)
    {
        var (_, address, path) = Targets.Single(target => target.Name == replica);
        var text = replica == Guilty
            ? await LifelineAsync("/metrics")
            : await _parts.OfType<SampleProcess>().Single(sample => sample.Address.Authority == address).TextAsync(path);
        return ParsedText.Read(text, isOpenMetrics: false).Series;
    }

    public async ValueTask DisposeAsync()
    {
        await EndLoadsAsync();
        foreach (var part in Enumerable.Reverse(_parts))
        {
            await part.DisposeAsync();
        }

        _folder.Delete(recursive: true);
    }

    private async Task StartPartsAsync()
    {
        await File.WriteAllTextAsync(TokenFile, Token);

        // The sin waits for a time and not for a pool thread, so requests are served, slowly, and every one is counted. It doesn't spin, so
        // it is blocked just as long on a crowded machine.
        var a = await ReplicaAsync(
            Guilty, "--Sample:MaxWorkerThreads", "8", "--AsyncProbe:LifelinePort", LifelinePort.ToString(CultureInfo.InvariantCulture));
        await a.TextAsync($"{GuiltyRoute}?ms=1");
        var b = await ReplicaAsync("replica-b");
        var c = await ReplicaAsync("replica-c");
        _parts.Add(await StartRelayAsync());
        Targets.Add((Guilty, $"127.0.0.1:{RelayPort}", "/metrics"));
        Targets.Add(("replica-b", b.Address.Authority, "/_threadpool/metrics"));
        Targets.Add(("replica-c", c.Address.Authority, "/_threadpool/metrics"));

        _loads.Add(new Load(b.Address, "/sins/sleep?ms=20", 1));
        _loads.Add(new Load(b.Address, "/sins/task-wait?ms=5", 1));
        _loads.Add(new Load(c.Address, "/sins/delay?ms=20", 1));
        _loads.Add(new Load(a.Address, $"{GuiltyRoute}?ms=300", 48));
    }

    private async Task<SampleProcess> ReplicaAsync(string name, params string[] arguments)
    {
        var replica = await SampleProcess.StartAsync(_collector.EnvironmentOf(name), ["--Sample:Upstream", "false", .. arguments]);
        _parts.Add(replica);
        return replica;
    }

    // The relay of deploy, with its variables filled in as nginx's image does it.
    private async Task<Daemon> StartRelayAsync()
    {
        var server = (await File.ReadAllTextAsync(Tool.Deploy("relay", "lifeline.conf.template")))
            .Replace("${RELAY_LISTEN}", $"127.0.0.1:{RelayPort}", StringComparison.Ordinal)
            .Replace("${LIFELINE_PORT}", LifelinePort.ToString(CultureInfo.InvariantCulture), StringComparison.Ordinal)
            .Replace("${LIFELINE_TOKEN}", Token, StringComparison.Ordinal);
        var folder = _folder.FullName;
        var file = Path.Combine(folder, "nginx.conf");
        await File.WriteAllTextAsync(file, $$"""
            daemon off;
            master_process off;
            pid {{folder}}/nginx.pid;
            error_log stderr warn;
            events { }
            http {
              client_body_temp_path {{folder}}/body;
              proxy_temp_path {{folder}}/proxy;
              fastcgi_temp_path {{folder}}/fastcgi;
              uwsgi_temp_path {{folder}}/uwsgi;
              scgi_temp_path {{folder}}/scgi;
              {{server}}
            }
            """);
        return await Daemon.StartAsync("/usr/sbin/nginx", RelayPort, ready: null, "-e", "stderr", "-p", folder, "-c", file);
    }
}
