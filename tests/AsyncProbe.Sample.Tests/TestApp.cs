using System.Text.Json;
using AsyncProbe.Sample.Hosting;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.Extensions.DependencyInjection;

namespace AsyncProbe.Sample.Tests;

/// <summary>An app of this process on real Kestrel and a free loopback port, and a client for it.</summary>
internal sealed class TestApp : IAsyncDisposable
{
    public static readonly TimeSpan Timeout = TimeSpan.FromSeconds(30);

    private readonly WebApplication _app;

    private TestApp(WebApplication app)
    {
        _app = app;
        Address = new Uri(app.Services.GetRequiredService<IServer>().Features.Get<IServerAddressesFeature>()!.Addresses.First());
        Client = new HttpClient { BaseAddress = Address, Timeout = Timeout };
    }

    public Uri Address { get; }

    public HttpClient Client { get; }

    public IServiceProvider Services => _app.Services;

    public static async Task<TestApp> StartAsync(WebApplication app)
    {
        await app.StartAsync().WaitAsync(Timeout);
        return new TestApp(app);
    }

    /// <summary>The sample itself, on a free port.</summary>
    public static Task<TestApp> StartSampleAsync(params string[] args) =>
        StartAsync(SampleApp.Build(["--urls", "http://127.0.0.1:0", "--hostBuilder:reloadConfigOnChange=false", .. args]));

    public Task<HttpResponseMessage> GetAsync(string path) => Client.GetAsync(new Uri(path, UriKind.Relative));

    public Task<string> TextAsync(string path) => Client.GetStringAsync(new Uri(path, UriKind.Relative));

    public Task<HttpResponseMessage> SendAsync(string method, string path, params (string Name, string Value)[] headers)
    {
        using var request = new HttpRequestMessage(new HttpMethod(method), new Uri(path, UriKind.Relative));
        foreach (var (name, value) in headers)
        {
            request.Headers.TryAddWithoutValidation(name, value);
        }

        return Client.SendAsync(request);
    }

    /// <summary>
    /// The endpoint's row once it has counted so many requests: the client has its answer a moment before the server has counted it.
    /// </summary>
    public async Task<JsonElement> EndpointAsync(string endpoint, int requests = 1)
    {
        var deadline = DateTime.UtcNow + Timeout;
        while (true)
        {
            var report = JsonDocument.Parse(await TextAsync("/_threadpool")).RootElement;
            var row = report.GetProperty("endpoints").EnumerateArray().FirstOrDefault(e => e.GetProperty("endpoint").GetString() == endpoint);
            if (row.ValueKind == JsonValueKind.Object && row.GetProperty("requests").GetInt64() >= requests)
            {
                return row;
            }

            (DateTime.UtcNow < deadline).ShouldBeTrue($"no row '{endpoint}' with {requests} requests in {report}");
            await Task.Delay(20);
        }
    }

    public async ValueTask DisposeAsync()
    {
        Client.Dispose();
        await _app.StopAsync().WaitAsync(Timeout);
        await _app.DisposeAsync();
    }
}
