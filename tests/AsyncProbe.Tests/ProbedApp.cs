using System.Globalization;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncProbe.Tests;

/// <summary>An app in this process with AsyncProbe in front.</summary>
internal sealed class ProbedApp : RunningApp
{
    private ProbedApp(WebApplication app)
        : base(app)
    {
    }

    public LogLines Log { get; private init; } = new();

    /// <param name="map">Adds what the test needs, after UseAsyncProbe and MapAsyncProbe.</param>
    /// <param name="environment">The hosting environment.</param>
    /// <param name="configure">Services and settings.</param>
    /// <param name="usesProbe">False if the test calls UseAsyncProbe itself.</param>
    /// <param name="report">Additions of the test to the report's endpoints.</param>
    public static async Task<ProbedApp> StartAsync(
        Action<WebApplication> map,
        string environment = "Development",
        Action<WebApplicationBuilder>? configure = null,
        bool usesProbe = true,
        Action<IEndpointConventionBuilder>? report = null)
    {
        var log = new LogLines();
        var builder = WebApplication.CreateBuilder(new WebApplicationOptions { EnvironmentName = environment });
        // No file watchers and nothing from the environment: a test sees only its own settings.
        builder.Configuration.Sources.Clear();
        builder.Configuration.AddInMemoryCollection();

        // Outside Development the report would be closed, which isn't what these tests are about.
        builder.Configuration["AsyncProbe:AllowLocal"] = "true";
        builder.Logging.ClearProviders().AddProvider(log).SetMinimumLevel(LogLevel.Debug).AddFilter("Microsoft", LogLevel.Warning);
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        builder.Services.AddAsyncProbe();
        configure?.Invoke(builder);
        var app = builder.Build();
        if (usesProbe)
        {
            app.UseAsyncProbe();
        }

        map(app);
        var mapped = app.MapAsyncProbe();
        report?.Invoke(mapped);
        try
        {
            await app.StartAsync().WaitAsync(Timeout);
        }
        catch
        {
            // Otherwise the tests that count threads would find what a failed start left running.
            await app.DisposeAsync();
            throw;
        }

        return new ProbedApp(app) { Log = log };
    }

    /// <summary>Calls an endpoint that returns the milliseconds it measured itself: the truth to compare with.</summary>
    public async Task<double> MillisecondsAsync(string path) => double.Parse(await TextAsync(path), CultureInfo.InvariantCulture);
}
