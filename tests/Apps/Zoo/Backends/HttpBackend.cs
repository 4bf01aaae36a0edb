using System.Text;

namespace Zoo.Backends;

/// <summary>Answers every GET request with a JSON object.</summary>
internal sealed class HttpBackend : Backend
{
    public static HttpBackend Instance { get; } = new();

    public static Uri Address { get; } = new($"http://127.0.0.1:{Instance.Port}/");

    public static HttpClient CreateClient() => new(new SocketsHttpHandler { UseProxy = false }) { BaseAddress = Address };

    protected override void Serve(Stream stream)
    {
        using var reader = new StreamReader(stream, Encoding.ASCII);
        while (reader.ReadLine() is { Length: > 0 })
        {
            while (reader.ReadLine() is { Length: > 0 })
            {
            }

            Wait();
            stream.Write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 12\r\n\r\n{\"stock\":42}"u8);
        }
    }
}
