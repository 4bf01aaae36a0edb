using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncProbe.Jobs.Tests;

/// <summary>An app whose workers of one kind run repeatedly: one blocks, the other one awaits.</summary>
internal sealed class JobsApp : RunningApp
{
    private JobsApp(WebApplication app)
        : base(app)
    {
    }

    public static async Task<JobsApp> StartAsync(Action<IServiceCollection> addWorkers, params string[] sources)
    {
        var builder = WebApplication.CreateBuilder(new WebApplicationOptions { EnvironmentName = "Development" });
        builder.Configuration.Sources.Clear();
        builder.Configuration.AddInMemoryCollection();
        builder.Logging.ClearProviders();
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        builder.Services.AddAsyncProbe(o => Array.ForEach(sources, o.ActivitySources.Add));
        addWorkers(builder.Services);
        var app = builder.Build();
        app.UseAsyncProbe();
        app.MapAsyncProbe();
        try
        {
            await app.StartAsync().WaitAsync(Timeout);
        }
        catch
        {
            await app.DisposeAsync();
            throw;
        }

        return new JobsApp(app);
    }
}
