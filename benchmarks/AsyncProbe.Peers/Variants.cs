using OpenTelemetry;
using OpenTelemetry.Metrics;
using OpenTelemetry.Trace;
using Prometheus;

namespace AsyncProbe.Peers;

internal static class Variants
{
    public const string Bare = "bare";
    public const string Company = "company";

    private static readonly Action<IServiceCollection> s_nothing = _ => { };
    private static readonly Action<WebApplication> s_noMiddleware = _ => { };

    public static IReadOnlyList<Variant> All { get; } =
    [
        new(Bare, "nothing", Environments.Production, s_nothing, s_noMiddleware),
        new("bare-again", "the same app once more", Environments.Production, s_nothing, s_noMiddleware),
        new("otel-metrics", "OpenTelemetry metrics", Environments.Production, s_nothing, UseMetrics),
        new("otel-traces", "OpenTelemetry traces", Environments.Production, s_nothing, UseTraces),
        new("prometheus-net", "prometheus-net", Environments.Production, s_nothing, app => app.UseHttpMetrics()),
        Probe("off", "AsyncProbe, `Detection = Off`", Environments.Production, o => o.Detection = BlockingDetection.Off),
        Probe("production", "**AsyncProbe, Production**", Environments.Production, _ => { }),
        Probe("headers", "**AsyncProbe, Production with headers**", Environments.Production, o => o.EmitHeaders = true),
        new("attached", "**AsyncProbe, attached**", Environments.Production, s_nothing, s_noMiddleware, Attached: AttachedProbe.Always),
        new("detached", "AsyncProbe, detached again", Environments.Production, s_nothing, s_noMiddleware, Attached: AttachedProbe.Once),
        Probe("development", "AsyncProbe, Development", Environments.Development, _ => { }),
        new(Company, "OpenTelemetry metrics, traces and `IHttpContextAccessor`", Environments.Production, AddAccessor, UseBoth),
        new(
            "company-probe",
            "AsyncProbe, Production, on top of those three",
            Environments.Production,
            services =>
            {
                AddAccessor(services);
                services.AddAsyncProbe();
            },
            app =>
            {
                UseBoth(app);
                app.UseAsyncProbe();
            },
            ComparedWith: Company),
    ];

    public static Variant Find(string name) => All.Single(v => v.Name == name);

    private static Variant Probe(string name, string title, string environment, Action<AsyncProbeOptions> configure) =>
        new(name, title, environment, services => services.AddAsyncProbe(configure), app => app.UseAsyncProbe());

    private static void AddAccessor(IServiceCollection services) => services.AddHttpContextAccessor();

    private static void UseBoth(WebApplication app)
    {
        UseMetrics(app);
        UseTraces(app);
    }

    private static void UseMetrics(WebApplication app)
    {
        var metrics = Sdk.CreateMeterProviderBuilder()
            .AddAspNetCoreInstrumentation()
            .AddReader(new PeriodicExportingMetricReader(new NoMetricExporter()))
            .Build();
        app.Lifetime.ApplicationStopped.Register(metrics.Dispose);
    }

    private static void UseTraces(WebApplication app)
    {
        var traces = Sdk.CreateTracerProviderBuilder()
            .AddAspNetCoreInstrumentation()
            .AddProcessor(new BatchActivityExportProcessor(new NoTraceExporter()))
            .Build();
        app.Lifetime.ApplicationStopped.Register(traces.Dispose);
    }
}
