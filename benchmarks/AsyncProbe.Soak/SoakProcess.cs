using System.Diagnostics;
using System.Net;
using System.Text.Json;
using AsyncProbe.Tests.Shared;

namespace AsyncProbe.Soak;

/// <summary>The server as a child process, and the requests to it in addition to the load.</summary>
internal sealed class SoakProcess : IAsyncDisposable
{
    private readonly Process _process;

    private SoakProcess(Process process, int port)
    {
        _process = process;
        Url = new Uri($"http://127.0.0.1:{port}");
        Client = new HttpClient(new SocketsHttpHandler { UseProxy = false, AutomaticDecompression = DecompressionMethods.GZip })
        {
            BaseAddress = Url,
            Timeout = TimeSpan.FromSeconds(60),
        };
    }

    public Uri Url { get; }

    public HttpClient Client { get; }

    public bool HasExited => _process.HasExited;

    public static async Task<SoakProcess> StartAsync()
    {
        var port = FreePort.Take();
        var start = new ProcessStartInfo("dotnet",
        [
            Path.Combine(AppContext.BaseDirectory, "AsyncProbe.Soak.dll"), "serve",
            "--urls", $"http://127.0.0.1:{port}",
            "--environment", "Production",
            "--AsyncProbe:AllowLocal", "true",
            "--AsyncProbe:EmitHeaders", "true",
            "--AsyncProbe:Detection", "Always",
            "--AsyncProbe:IncludeStacks", "true",
            "--AsyncProbe:AllowSnapshotRequests", "true",
        ]);
        var server = new SoakProcess(Process.Start(start) ?? throw new InvalidOperationException("'dotnet' did not start."), port);
        for (var attempt = 0; attempt < 300; attempt++)
        {
            try
            {
                await server.Client.GetStringAsync(new Uri("/plain", UriKind.Relative));
                return server;
            }
            catch (HttpRequestException)
            {
                await Task.Delay(100);
            }
        }

        await server.DisposeAsync();
        throw new InvalidOperationException("The server did not answer within 30 s.");
    }

    public async Task<ServerState> StateAsync() =>
        await Client.GetFromJsonAsync<ServerState>(new Uri("/control/state", UriKind.Relative))
            ?? throw new InvalidOperationException("No state came.");

    public async Task<JsonElement> ReportAsync() =>
        JsonDocument.Parse(await Client.GetStringAsync(new Uri("/_threadpool", UriKind.Relative))).RootElement;

    public async Task PostAsync(string path)
    {
        using var response = await Client.PostAsync(new Uri(path, UriKind.Relative), null);
    }

    public async ValueTask DisposeAsync()
    {
        Client.Dispose();
        if (!_process.HasExited)
        {
            _process.Kill();
        }

        await _process.WaitForExitAsync();
        _process.Dispose();
    }
}
