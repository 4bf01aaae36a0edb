using AsyncProbe.Sample.Backend;
using AsyncProbe.Sample.Database;
using AsyncProbe.Sample.Jobs;
using AsyncProbe.Sample.Products;
using AsyncProbe.Sample.Sins;
using AsyncProbe.Sample.SyncVsAsync;
using AsyncProbe.Sample.Upstream;
using Microsoft.OpenApi;

namespace AsyncProbe.Sample.Hosting;

/// <summary>The services that the stories need.</summary>
internal static class SampleServices
{
    public static void AddSample(this WebApplicationBuilder builder)
    {
        var services = builder.Services;
        services.AddAsyncProbe().AddStackSnapshots();
        services.AddOutputCache();
        services.AddProblemDetails();
        services.AddExceptionHandler<BadRequest>();
        services.AddExceptionHandler<Unavailable>();
        services.AddControllers();
        services.AddBackendLimiter();
        services.AddSins();
        services.AddJobs();
        services.AddScoped<LongRead>();
        services.AddSingleton(provider => new DatabaseWait(
            provider.GetRequiredService<SampleDatabase>(), provider.GetRequiredService<UpstreamClient>()));
        builder.AddDatabase();
        services.AddSingleton<UpstreamClient>();
        services.AddHostedService<UpstreamProcess>();
        services.AddEndpointsApiExplorer();
        services.AddSwaggerGen(swagger =>
        {
            swagger.SwaggerDoc("v1", new OpenApiInfo
            {
                Title = "AsyncProbe sample",
                Version = "v1",
                Description = "Each route blocks, awaits, computes or is cached. Compare the X-ThreadPool-* and X-AsyncProbe-* headers of "
                    + "the answers.",
            });
            swagger.IncludeXmlComments(typeof(SampleServices).Assembly);
        });
        services.AddHostedService<ThreadLog>();
        services.AddHostedService<Telemetry>();
    }
}
