using Microsoft.AspNetCore.Hosting.Server.Features;

namespace Shop;

/// <summary>The host of applications that are older than <c>WebApplication</c>.</summary>
internal static class OldHost
{
    public static async Task RunAsync(string[] args)
    {
        var settings = new ConfigurationBuilder().AddCommandLine(args).Build();
#pragma warning disable ASPDEPR004, ASPDEPR008 // Obsolete since .NET 10, and yet apps use it.
        using var host = new WebHostBuilder()
            .UseKestrel()
            .UseUrls(settings["urls"]!)
            .ConfigureServices(Pages.AddServices)
            .Configure(app =>
            {
                Pages.UseMiddleware(app);
                app.UseRouting();
                app.UseEndpoints(Pages.Map);
            })
            .Build();
#pragma warning restore ASPDEPR004, ASPDEPR008
        await host.StartAsync();
        Started.Report(host.ServerFeatures.Get<IServerAddressesFeature>()!.Addresses);
        await host.WaitForShutdownAsync();
    }
}
