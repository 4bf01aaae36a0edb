using System.Net;
using System.Net.Sockets;
using AsyncProbe.Tests;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using static AsyncProbe.Tests.Reporting.Http.ExposedApp;

namespace AsyncProbe.Integration.Tests.Reporting.Http;

/// <summary>Which requests AllowLocal answers outside Development behind a real nginx.</summary>
[Trait("Needs", "nginx")]
public sealed class NginxTests
{
    // The reason for the rule: nginx in its default configuration leaves no trace, and sends the loopback name as the host.
    [Fact]
    public async Task Nginx_LooksLikeACallerOnThisMachine_SoNobodyIsAnsweredUnasked()
    {
        await using var app = await StartAsync(allowLocal: false);
        await using var careless = await StartAsync(allowLocal: true);
        await using var nginx = await Nginx.StartAsync(Target(app));
        await using var carelessNginx = await Nginx.StartAsync(Target(careless));

        (await StatusAsync(nginx.Client)).ShouldBe(HttpStatusCode.NotFound);
        (await StatusAsync(carelessNginx.Client)).ShouldBe(HttpStatusCode.OK);
    }

    [Fact]
    public async Task AllowLocal_RefusesAUnixSocket_BehindWhichAProxyIsLikely()
    {
        using var folder = new TemporaryFolder();
        var path = Path.Combine(folder.Path, "kestrel.sock");
        await using var app = await StartAsync(
            allowLocal: true,
            map: a => a.UseForwardedHeaders(TrustEverybody(null)),
            configure: b => b.WebHost.ConfigureKestrel(k =>
            {
                k.Listen(IPAddress.Loopback, 0);
                k.ListenUnixSocket(path);
            }));
        using var direct = new HttpClient(new SocketsHttpHandler
        {
            ConnectCallback = async (_, cancellation) =>
            {
                var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
                await socket.ConnectAsync(new UnixDomainSocketEndPoint(path), cancellation);
                return new NetworkStream(socket, ownsSocket: true);
            },
        }) { BaseAddress = new Uri("http://localhost"), Timeout = ProbedApp.Timeout };
        await using var nginx = await Nginx.StartAsync($"http://unix:{path}:");

        (await StatusAsync(app.Client)).ShouldBe(HttpStatusCode.OK);
        (await StatusAsync(direct)).ShouldBe(HttpStatusCode.NotFound);
        (await StatusAsync(nginx.Client)).ShouldBe(HttpStatusCode.NotFound);
        (await StatusAsync(nginx.Client, ("X-Forwarded-For", "127.0.0.1"))).ShouldBe(HttpStatusCode.NotFound);
    }

    private static string Target(ProbedApp app) => app.Address.GetLeftPart(UriPartial.Authority);

    private sealed class TemporaryFolder : IDisposable
    {
        public string Path { get; } = Directory.CreateTempSubdirectory("asyncprobe-").FullName;

        public void Dispose() => Directory.Delete(Path, recursive: true);
    }
}
