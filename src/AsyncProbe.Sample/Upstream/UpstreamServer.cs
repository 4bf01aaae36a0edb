using System.Net;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;

namespace AsyncProbe.Sample.Upstream;

/// <summary>
/// The upstream process: this program, started with <c>--upstream</c>. It answers <c>/wait?ms=</c> after that time. Its first line of
/// output is its address. It ends when its input ends, which happens when the parent process has ended for any reason.
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

            // The parent's connections are opened in advance and must stay open.
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
