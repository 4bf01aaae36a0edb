using System.Net;
using System.Net.Sockets;

namespace AsyncProbe.Tests.Reporting.Http;

/// <summary>
/// Forwards bytes to a port of this machine, as <c>ssh -R</c>, stunnel or a load balancer in TCP mode do. It leaves no trace.
/// </summary>
internal sealed class TcpRelay : IAsyncDisposable
{
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly CancellationTokenSource _stop = new();
    private readonly Task _running;

    public TcpRelay(int target)
    {
        _listener.Start();
        Client = new HttpClient { BaseAddress = new Uri($"http://{_listener.LocalEndpoint}"), Timeout = ProbedApp.Timeout };
        _running = RunAsync(target);
    }

    public HttpClient Client { get; }

    public async ValueTask DisposeAsync()
    {
        Client.Dispose();
        await _stop.CancelAsync();
        _listener.Stop();
        await _running.WaitAsync(ProbedApp.Timeout);
        _stop.Dispose();
    }

    private async Task RunAsync(int target)
    {
        List<Task> relayed = [];
        try
        {
            while (true)
            {
                relayed.Add(RelayAsync(await _listener.AcceptTcpClientAsync(_stop.Token), target));
            }
        }
        catch (Exception e) when (e is OperationCanceledException or SocketException)
        {
            await Task.WhenAll(relayed);
        }
    }

    private async Task RelayAsync(TcpClient caller, int target)
    {
        using var owned = caller;
        using var server = new TcpClient();
        try
        {
            await server.ConnectAsync(IPAddress.Loopback, target, _stop.Token);
            await Task.WhenAny(
                caller.GetStream().CopyToAsync(server.GetStream(), _stop.Token),
                server.GetStream().CopyToAsync(caller.GetStream(), _stop.Token));
        }
        catch (Exception e) when (e is OperationCanceledException or SocketException or IOException)
        {
            // One side has disconnected.
        }
    }
}
