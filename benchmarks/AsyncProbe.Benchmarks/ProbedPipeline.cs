using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace AsyncProbe.Benchmarks;

/// <summary>The middleware round one endpoint, with a request that is used again, so that only the middleware's cost shows.</summary>
internal sealed class ProbedPipeline
{
    private readonly RequestDelegate _pipeline;
    private readonly DefaultHttpContext _context;
    private readonly StartingResponse _response = new();
    private readonly Endpoint _endpoint;

    public ProbedPipeline(
        RequestDelegate endpoint, bool isProbed, bool emitsHeaders, BlockingDetection detection = BlockingDetection.Off)
    {
        var services = new ServiceCollection();
        services.AddLogging();
        services.AddSingleton<IHostEnvironment>(new Production());
        services.AddAsyncProbe(o =>
        {
            o.Headers = emitsHeaders;
            o.Detection = detection;
        });
        var app = new ApplicationBuilder(services.BuildServiceProvider());
        if (isProbed)
        {
            app.UseAsyncProbe();
        }

        app.Run(endpoint);
        _pipeline = app.Build();
        _endpoint = new Endpoint(endpoint, EndpointMetadataCollection.Empty, "empty");

        var features = new FeatureCollection();
        features.Set<IHttpRequestFeature>(new HttpRequestFeature { Method = "GET" });
        features.Set<IHttpResponseFeature>(_response);
        features.Set<IHttpResponseBodyFeature>(new StreamResponseBodyFeature(Stream.Null));
        _context = new DefaultHttpContext(features);
        _context.SetEndpoint(_endpoint);
    }

    public async Task SendAsync()
    {
        // What a server does between two requests of a connection.
        _context.Features.Set<IAsyncProbeFeature>(null);
        _response.Headers.Clear();
        await _pipeline(_context);
        await _response.StartAsync();
    }

    private sealed class StartingResponse : HttpResponseFeature
    {
        private Func<object, Task>? _callback;
        private object? _state;

        public override void OnStarting(Func<object, Task> callback, object state) => (_callback, _state) = (callback, state);

        public Task StartAsync()
        {
            var callback = _callback;
            _callback = null;
            return callback?.Invoke(_state!) ?? Task.CompletedTask;
        }
    }
}
