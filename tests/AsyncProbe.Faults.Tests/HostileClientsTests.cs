using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Net.WebSockets;
using System.Text;

namespace AsyncProbe.Faults.Tests;

/// <summary>Clients that open connections and never read, that cancel what they have just requested, and that come and go.</summary>
public sealed class HostileClientsTests
{
    [Fact]
    public async Task Host_Answers_WhileStreamsAreResetAtOnce()
    {
        const int Resets = 2_000;
        var lifeline = FreePort.Take();
        var second = FreePort.Take();
        await using var host = await StartAsync(lifeline, second);
        using var client = new HttpClient { BaseAddress = new Uri($"http://127.0.0.1:{second}"), DefaultRequestVersion = HttpVersion.Version20 };
        client.DefaultVersionPolicy = HttpVersionPolicy.RequestVersionExact;
        for (var i = 0; i < Resets; i++)
        {
            using var cancellation = new CancellationTokenSource();
            var asked = client.GetAsync(new Uri(i % 2 == 0 ? "/sleep" : "/ok", UriKind.Relative), cancellation.Token);
            await cancellation.CancelAsync();
            await asked.ContinueWith(_ => { }, TaskScheduler.Default);
        }

        await AnswersAsync(host, lifeline);
    }

    [Fact]
    public async Task Host_Answers_WhileWebSocketsComeAndGo()
    {
        const int Sockets = 100;
        var lifeline = FreePort.Take();
        await using var host = await StartAsync(lifeline, FreePort.Take());
        var address = new UriBuilder(host.Address) { Scheme = "ws", Path = "/socket" }.Uri;
        for (var i = 0; i < Sockets; i++)
        {
            using var socket = new ClientWebSocket();
            await socket.ConnectAsync(address, CancellationToken.None).WaitAsync(ChildProcess.Timeout);
            await socket.SendAsync(new byte[] { 1 }, WebSocketMessageType.Binary, true, CancellationToken.None);
            socket.Abort();
        }

        await AnswersAsync(host, lifeline);
    }

    [Fact]
    public async Task Host_Answers_WhileCallersNeverRead()
    {
        const int Callers = 40;
        var lifeline = FreePort.Take();
        await using var host = await StartAsync(lifeline, FreePort.Take());
        List<Socket> callers = [];
        try
        {
            for (var i = 0; i < Callers; i++)
            {
                callers.Add(await AskAsync(host.Address.Port, "/_threadpool"));
                callers.Add(await AskAsync(lifeline, "/"));
            }

            await AnswersAsync(host, lifeline);
        }
        finally
        {
            callers.ForEach(caller => caller.Dispose());
        }
    }

    private static async Task<Socket> AskAsync(int port, string path)
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { ReceiveBufferSize = 1024 };
        await socket.ConnectAsync(IPAddress.Loopback, port).WaitAsync(ChildProcess.Timeout);
        await socket.SendAsync(Encoding.ASCII.GetBytes($"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n"));
        return socket;
    }

    private static async Task AnswersAsync(FaultHostProcess host, int lifeline)
    {
        (await Work.RunAsync(host)).ShouldBeEmpty(host.Output);
        (await host.ReportAsync()).GetProperty("endpoints").GetArrayLength().ShouldBeGreaterThan(0);
        await Eventually.TrueAsync(
            async () =>
            {
                using var answer = await host.Client.GetAsync(new Uri($"http://127.0.0.1:{lifeline}/"));
                return answer.IsSuccessStatusCode;
            },
            "the lifeline does not answer");
    }

    private static Task<FaultHostProcess> StartAsync(int lifeline, int second) =>
        FaultHostProcess.StartAsync(["--lifeline", Text(lifeline), "--port2", Text(second)]);

    private static string Text(int number) => number.ToString(CultureInfo.InvariantCulture);
}
