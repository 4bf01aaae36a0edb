using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;

namespace AsyncProbe.TruthServer;

/// <summary>
/// An HTTP service that looks like another machine to the pool, because it runs on its own threads. <c>/head/20</c> sends nothing for
/// 20 ms, <c>/body/20</c> sends the head at once and the body after 20 ms.
/// </summary>
public static class SlowBackend
{
    private static readonly TcpListener s_listener = Listen();

    public static Uri Address { get; } = new($"http://127.0.0.1:{((IPEndPoint)s_listener.LocalEndpoint).Port}");

    public static HttpClient Client { get; } = new(new SocketsHttpHandler { UseProxy = false, UseCookies = false })
    {
        BaseAddress = Address,
    };

    public static Uri Head(int ms) => new(Address, string.Create(CultureInfo.InvariantCulture, $"/head/{ms}"));

    public static Uri Body(int ms) => new(Address, string.Create(CultureInfo.InvariantCulture, $"/body/{ms}"));

    private static TcpListener Listen()
    {
        var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        new Thread(() =>
        {
            while (true)
            {
                var socket = listener.AcceptSocket();
                socket.NoDelay = true;
                new Thread(() => Serve(socket)) { IsBackground = true }.UnsafeStart();
            }
        })
        { IsBackground = true, Name = "Backend" }.UnsafeStart();
        return listener;
    }

    private static void Serve(Socket socket)
    {
        using var stream = new NetworkStream(socket, ownsSocket: true);
        using var reader = new StreamReader(stream, Encoding.ASCII);
        try
        {
            while (reader.ReadLine() is { Length: > 0 } request)
            {
                while (reader.ReadLine() is { Length: > 0 })
                {
                }

                var parts = request.Split(' ')[1].Split('/');
                var ms = int.Parse(parts[2], CultureInfo.InvariantCulture);
                if (parts[1] == "head")
                {
                    Thread.Sleep(ms);
                }

                stream.Write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n"u8);
                if (parts[1] == "body")
                {
                    Thread.Sleep(ms);
                }

                stream.Write("ok"u8);
            }
        }
        catch (IOException)
        {
            // The client has disconnected.
        }
    }
}
