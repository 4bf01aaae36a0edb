using System.Globalization;
using System.Net.Sockets;
using System.Text.Json;
using AsyncProbe.Cli.Processes;
using AsyncProbe.Cli.Server;
using AsyncProbe.Cli.Snapshots;

namespace AsyncProbe.Attach.Tests;

/// <summary>A probe that these tests have attached, and its report.</summary>
internal sealed class AttachedReport : IDisposable
{
    private readonly AttachedProcess _attached;
    private readonly ReportClient _client;

    public AttachedReport(ShopProcess shop)
        : this(shop.Pid)
    {
    }

    public AttachedReport(string pid, bool headers = false)
    {
        _attached = AttachedProcess.Attach(DotnetProcesses.Find(pid), new(Headers: headers), CancellationToken.None);
        _client = new ReportClient(new Uri("http://localhost/"), insecure: false, _attached.Socket.Connect);
    }

    public ProbeSocket Socket => _attached.Socket;

    public DotnetProcess Process => _attached.Process;

    /// <summary>The row of an endpoint; null while nothing has been counted there.</summary>
    public EndpointSnapshot? Find(string endpoint) => Endpoints().FirstOrDefault(row => row.Endpoint == endpoint);

    /// <summary>Waits until so many requests of an endpoint have been counted.</summary>
    public async Task<EndpointSnapshot> CountedAsync(string endpoint, int requests)
    {
        EndpointSnapshot? row = null;
        await Eventually.TrueAsync(
            () => (row = Find(endpoint))?.Requests >= requests,
            () => string.Create(CultureInfo.InvariantCulture, $"{endpoint}: {row?.Requests} requests instead of {requests}"));
        row!.Requests.ShouldBe(requests);
        return row;
    }

    /// <summary>How many endpoints the probe has seen blocking. Some of their next requests carry the wait hook.</summary>
    public async Task<int> ArmedEndpointsAsync()
    {
        using var client = new HttpClient(new SocketsHttpHandler
        {
            ConnectCallback = (_, _) => ValueTask.FromResult<Stream>(new NetworkStream(Socket.Connect(), ownsSocket: true)),
        });
        using var report = JsonDocument.Parse(await client.GetStringAsync(new Uri("http://localhost/")));
        return report.RootElement.GetProperty("probe").GetProperty("armedEndpoints").GetInt32();
    }

    public void Dispose()
    {
        _client.Dispose();
        _attached.Dispose();
    }

    /// <summary>The whole report.</summary>
    public ServerSnapshot Read() => _client.Read(ChildProcess.Timeout, CancellationToken.None).Snapshot.ShouldNotBeNull();

    private IReadOnlyList<EndpointSnapshot> Endpoints() => _client.Read(ChildProcess.Timeout, CancellationToken.None).Snapshot?.Endpoints ?? [];
}
