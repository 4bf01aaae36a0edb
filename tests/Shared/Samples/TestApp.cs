using AsyncProbe.Sample.Hosting;
using Microsoft.AspNetCore.Builder;

namespace AsyncProbe.Tests.Shared;

/// <summary>The sample, or an app with a part of it, in this process.</summary>
internal sealed class TestApp : RunningApp
{
    private TestApp(WebApplication app)
        : base(app)
    {
    }

    public static async Task<TestApp> StartAsync(WebApplication app)
    {
        try
        {
            await app.StartAsync().WaitAsync(Timeout);
        }
        catch
        {
            await app.DisposeAsync();
            throw;
        }

        return new TestApp(app);
    }

    /// <summary>The sample itself, on a free port.</summary>
    public static Task<TestApp> StartSampleAsync(params string[] args) =>
        StartAsync(SampleApp.Build(["--urls", "http://127.0.0.1:0", "--hostBuilder:reloadConfigOnChange=false", .. args]));

    /// <summary>
    /// How long the least blocked of four requests was blocked, in milliseconds. One request may meet a wait of the runtime or of a client
    /// on a cold or crowded machine; a handler that blocks does so each time.
    /// </summary>
    public async Task<double> LeastBlockedAsync(string path)
    {
        var least = double.MaxValue;
        for (var i = 0; i < 4; i++)
        {
            using var answer = await GetAsync(path);
            least = Math.Min(least, answer.Number("X-AsyncProbe-Blocked-Ms"));
        }

        return least;
    }

    /// <summary>
    /// Waits for a request that is blocked for more than 50 ms. Task.Wait spins first, for all of a wait of 100 ms on a crowded core; a handler
    /// that doesn't block never gets there.
    /// </summary>
    public Task IsBlockedAsync(string path) => Eventually.TrueAsync(
        async () =>
        {
            using var answer = await GetAsync(path);
            return answer.Number("X-AsyncProbe-Blocked-Ms") > 50;
        },
        $"{path} is not blocked");

    public Task<HttpResponseMessage> SendAsync(string method, string path, params (string Name, string Value)[] headers)
    {
        using var request = new HttpRequestMessage(new HttpMethod(method), new Uri(path, UriKind.Relative));
        foreach (var (name, value) in headers)
        {
            request.Headers.TryAddWithoutValidation(name, value);
        }

        return Client.SendAsync(request);
    }
}
