using System.Diagnostics;

namespace AsyncProbe.Runtimes.Tests;

/// <summary>The test server, built for Windows and run by Wine.</summary>
internal sealed class WineServer : ChildProcess
{
    private WineServer(ProcessStartInfo start)
        : base(start)
    {
    }

    public static async Task<WineServer> StartAsync(WinePrefix wine, params string[] arguments)
    {
        var start = new ProcessStartInfo(
            "wine",
            [Path.Combine(wine.Server, "AsyncProbe.TestServer.exe"), "--urls", "http://127.0.0.1:0", "--log", "Information", .. arguments]);
        foreach (var (name, value) in wine.Environment)
        {
            start.Environment[name] = value;
        }

        var server = new WineServer(start);
        await server.ListenAsync();
        return server;
    }
}
