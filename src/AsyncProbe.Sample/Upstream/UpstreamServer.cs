using System.Net;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;

namespace AsyncProbe.Sample.Upstream;

/// <summary>
/// The other side: what this program does when it is started with <c>--upstream</c>. It answers <c>/wait?ms=</c> after that long, says its
/// address in its first line of output, and ends when its input does, which is when the parent is gone, however that came.
/// </summary>
internal static class UpstreamServer
{
    public const string Argument = "--upstream";

    public static async Task RunAsync()
    {
        var builder = WebApplication.CreateSlimBuilder(new WebApplicationOptions { ContentRootPath = AppContext.BaseDirectory });
        builder.Configuration.Sources.Clear();
        builder.Logging.ClearProviders();
        builder.Services.Configure<HostOptions>(host => host.ShutdownTimeout = TimeSpan.FromSeconds(1));
        builder.WebHost.ConfigureKestrel(kestrel =>
        {
            kestrel.Listen(IPAddress.Loopback, 0);

            // The parent's connections are warm and stay so.
            kestrel.Limits.KeepAliveTimeout = TimeSpan.FromDays(1);
        });
        await using var app = builder.Build();
        app.MapGet("/wait", async (int ms, CancellationToken cancellation) =>
        {
            await Task.Delay(ms, cancellation);
            return Results.Text("done");
        });
        await app.StartAsync();
        var address = app.Services.GetRequiredService<IServer>().Features.Get<IServerAddressesFeature>()!.Addresses.First();
        await Console.Out.WriteLineAsync(address);

        await Console.In.ReadToEndAsync();
        await app.StopAsync();
    }
}
