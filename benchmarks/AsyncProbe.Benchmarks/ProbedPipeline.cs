using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace AsyncProbe.Benchmarks;

/// <summary>The middleware around one endpoint. It reuses one request, so that only the middleware's cost shows.</summary>
internal sealed class ProbedPipeline : IDisposable
{
    private readonly ServiceProvider _provider;
    private readonly RequestDelegate _pipeline;
    private readonly DefaultHttpContext _context;
    private readonly ServersResponse _response = new();
    private readonly Route _route = new();

    public ProbedPipeline(
        RequestDelegate endpoint, bool isProbed, bool emitsHeaders, BlockingDetection detection = BlockingDetection.Off)
    {
        var services = new ServiceCollection();
        services.AddLogging();
        services.AddSingleton<IHostEnvironment>(new Production());
        services.AddAsyncProbe(o =>
        {
            o.EmitHeaders = emitsHeaders;
            o.Detection = detection;
        });
        var route = new Endpoint(endpoint, EndpointMetadataCollection.Empty, "empty");
        var provider = _provider = services.BuildServiceProvider();
        var app = new ApplicationBuilder(provider);
        var configure = provider.GetServices<IStartupFilter>().Reverse().Aggregate(
            (Action<IApplicationBuilder>)(pipeline =>
            {
                if (isProbed)
                {
                    pipeline.UseAsyncProbe();
                }

                pipeline.Run(async context =>
                {
                    context.SetEndpoint(route);
                    await _response.StartAsync();
                    await endpoint(context);
                });
            }),
            (rest, filter) => filter.Configure(rest));
        configure(app);
        _pipeline = app.Build();

        var features = new FeatureCollection();
        features.Set<IHttpRequestFeature>(new HttpRequestFeature { Method = "GET" });
        features.Set<IHttpResponseFeature>(_response);
        features.Set<IHttpResponseBodyFeature>(new StreamResponseBodyFeature(Stream.Null));
        _context = new DefaultHttpContext(features);
    }

    public void Dispose() => _provider.Dispose();

    public async Task SendAsync()
    {
        // A server does the same between two requests of a connection.
        _context.Features.Set<IAsyncProbeFeature>(null);
        _context.Features.Set<IEndpointFeature>(_route);
        _response.Headers.Clear();
        await _pipeline(_context);
        await _response.CompleteAsync();
    }

    /// <summary>The feature that a server provides.</summary>
    private sealed class Route : IEndpointFeature
    {
        public Endpoint? Endpoint { get; set; }
    }

    /// <summary>Calls back like a server: the last registered first, all in one method.</summary>
    private sealed class ServersResponse : HttpResponseFeature
    {
        private readonly Stack<(Func<object, Task> Callback, object State)> _starting = [];
        private readonly Stack<(Func<object, Task> Callback, object State)> _completed = [];
        private bool _hasStarted;

        public override bool HasStarted => _hasStarted;

        public override void OnStarting(Func<object, Task> callback, object state) => _starting.Push((callback, state));

        public override void OnCompleted(Func<object, Task> callback, object state) => _completed.Push((callback, state));

        public async Task StartAsync()
        {
            _hasStarted = true;
            await RunAsync(_starting);
        }

        public async Task CompleteAsync()
        {
            await RunAsync(_completed);
            _hasStarted = false;
        }

        private static async Task RunAsync(Stack<(Func<object, Task> Callback, object State)> callbacks)
        {
            while (callbacks.TryPop(out var entry))
            {
                await entry.Callback(entry.State);
            }
        }
    }
}
