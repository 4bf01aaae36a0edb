using System.Collections.Concurrent;
using System.Text.Json;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;

namespace AsyncProbe.Fleet.Tests;

/// <summary>The address to which Alertmanager sends the alerts.</summary>
internal sealed class Webhook : IAsyncDisposable
{
    private readonly ConcurrentQueue<JsonElement> _alerts = new();
    private readonly WebApplication _app;

    private Webhook(WebApplication app)
    {
        _app = app;
        app.MapPost("/alerts", async (HttpRequest request) =>
        {
            var body = await JsonDocument.ParseAsync(request.Body);
            foreach (var alert in body.RootElement.GetProperty("alerts").EnumerateArray())
            {
                _alerts.Enqueue(alert.Clone());
            }
        });
    }

    public Uri Address => new(_app.Urls.Single() + "/alerts");

    public static async Task<Webhook> StartAsync()
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        var webhook = new Webhook(builder.Build());
        await webhook._app.StartAsync().WaitAsync(ChildProcess.Timeout);
        return webhook;
    }

    /// <summary>Whether the alert for that replica has arrived.</summary>
    public bool Has(string name, string instance) => _alerts.Select(alert => alert.GetProperty("labels")).Any(labels =>
        labels.GetProperty("alertname").GetString() == name
            && labels.TryGetProperty("instance", out var of) && of.GetString() == instance);

    public ValueTask DisposeAsync() => _app.DisposeAsync();
}
