using AsyncProbe.Sample.Jobs;
using AsyncProbe.Sample.Sins;
using AsyncProbe.Sample.StartPage;

namespace AsyncProbe.Sample.Hosting;

/// <summary>The whole sample, from top to bottom.</summary>
public static class SampleApp
{
    internal const string DefaultAddress = "http://127.0.0.1:5080";

    private const string LifelineKey = "AsyncProbe:LifelinePort";

    public static WebApplication Build(string[] args)
    {
        var builder = WebApplication.CreateBuilder(new WebApplicationOptions
        {
            Args = args,
            ApplicationName = typeof(SampleApp).Assembly.GetName().Name,
            EnvironmentName = EnvironmentOf(args),

            // The settings are next to the program, wherever it is started from.
            ContentRootPath = AppContext.BaseDirectory,
        });
        if (builder.Configuration[WebHostDefaults.ServerUrlsKey] is null)
        {
            builder.WebHost.UseUrls(DefaultAddress);
        }

        if (builder.Configuration[WebHostDefaults.ServerUrlsKey] == DefaultAddress)
        {
            // At another address, a second sample may be running, which would find the port taken.
            builder.Configuration[LifelineKey] ??= "5081";
        }

        builder.AddSample();
        var app = builder.Build();
        PoolLimits.Apply(app.Configuration, app.Logger);

        // Add it first, so that it sees the whole request, including error handling and cache hits.
        app.UseAsyncProbe();
        app.UseExceptionHandler();
        app.UseStatusCodePages();
        app.UseOutputCache();
        app.UseRateLimiter();
        app.UseWebSockets();
        app.UseAntiforgery();
        app.UseSinfulMiddleware();
        app.UseSwagger();
        app.UseSwaggerUI(ui => ui.SwaggerEndpoint("v1/swagger.json", "AsyncProbe sample"));
        app.MapAsyncProbe();
        app.MapControllers();
        app.MapHub<JobsHub>(JobServices.HubPath);
        app.MapStaticAssets();
        app.MapRazorComponents<JobsDocument>().AddInteractiveServerRenderMode();
        app.MapSins();
        app.MapStartPage();
        app.Lifetime.ApplicationStarted.Register(() => Addresses.Print(app));
        return app;
    }

    // The sample runs in Development unless the environment says otherwise. There the headers are on and the report is open.
    private static string EnvironmentOf(string[] args)
    {
        var host = new ConfigurationBuilder()
            .AddEnvironmentVariables("DOTNET_").AddEnvironmentVariables("ASPNETCORE_").AddCommandLine(args).Build();
        return host[HostDefaults.EnvironmentKey] ?? Environments.Development;
    }
}
