using System.Net;
using System.Net.Sockets;

namespace AsyncProbe.StackSnapshots.Tests.Catalogue;

/// <summary>A slow server on its own threads: it must not need the pool whose threads wait for it.</summary>
internal static class SlowUpstream
{
    private static readonly TcpListener s_listener = Listen();

    public static Uri Address { get; } = new($"http://{s_listener.LocalEndpoint}/");

    public static HttpClient Client { get; } = new() { Timeout = Timeout.InfiniteTimeSpan };

    private static TcpListener Listen()
    {
        var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        new Thread(() =>
        {
            while (true)
            {
                var client = listener.AcceptTcpClient();
                new Thread(() => Answer(client)) { IsBackground = true }.Start();
            }
        })
        { IsBackground = true }.Start();
        return listener;
    }

    private static void Answer(TcpClient client)
    {
        using (client)
        {
            using var reader = new StreamReader(client.GetStream());
            while (reader.ReadLine() is { Length: > 0 })
            {
            }

            Thread.Sleep(SlowSins.Ms);
            client.GetStream().Write("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n"u8);
        }
    }
}
