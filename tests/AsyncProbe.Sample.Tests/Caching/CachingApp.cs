using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncProbe.Sample.Tests.Caching;

/// <summary>An app with the controllers of this folder.</summary>
internal static class CachingApp
{
    public static Task<TestApp> StartAsync()
    {
        var builder = WebApplication.CreateBuilder(new WebApplicationOptions { EnvironmentName = "Development" });
        builder.Logging.ClearProviders();
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        builder.Services.AddAsyncProbe();
        builder.Services.AddOutputCache();
        builder.Services.AddSingleton<Reached>();
        builder.Services.AddControllers().AddApplicationPart(typeof(CachingApp).Assembly);
        var app = builder.Build();
        app.UseAsyncProbe();
        app.UseOutputCache();
        app.MapAsyncProbe();
        app.MapControllers();
        return TestApp.StartAsync(app);
    }
}
