using System.Diagnostics;
using System.Text.Json;

namespace AsyncProbe.Tests.Pool;

/// <summary>Somebody looks in while not one pool thread is free, with a hundred connections on a wait of a second.</summary>
public sealed class LookingInTests
{
    // Two seconds is what is promised; a crowded build machine starts the load itself late.
    private static readonly TimeSpan s_promise = TimeSpan.FromSeconds(2);
    private static readonly TimeSpan s_grace = TimeSpan.FromSeconds(2);

    [Theory]
    [InlineData("/task-wait", " at Program.", "(Program.cs:")]
    [InlineData("/sleep", "no managed wait seen: Thread.Sleep, file I/O or native code", "")]
    public async Task LogAndLifeline_NameEndpointAndPlace_WhileAPlainRequestTimesOut(string path, string place, string line)
    {
        var port = FreePort.Take();
        await using var server = await ServerProcess.StartAsync("--environment", "Development", $"--AsyncProbe:LifelinePort={port}");
        using var lifeline = new HttpClient(new SocketsHttpHandler { UseProxy = false }) { BaseAddress = new Uri($"http://127.0.0.1:{port}/"), Timeout = s_promise };
        for (var i = 0; i < 3; i++)
        {
            await server.Client.GetAsync(new Uri($"{path}?ms=5", UriKind.Relative));
        }

        await lifeline.GetStringAsync(new Uri("/", UriKind.Relative));
        var clock = Stopwatch.StartNew();
        await using var load = new Load(server.Client.BaseAddress!, $"{path}?ms=1000", 100);

        await server.LineAsync("The thread pool is starved, cause blocked", s_promise + s_grace);
        var (named, _) = await server.LineAsync($"are blocked in GET {path}{(line.Length > 0 ? place : $" ({place})")}", s_promise + s_grace);
        named.ShouldContain(line);
        clock.Elapsed.ShouldBeLessThan(s_promise + s_grace);

        using var impatient = new CancellationTokenSource(TimeSpan.FromSeconds(1));
        var plain = server.Client.GetAsync(new Uri("/plain", UriKind.Relative), impatient.Token);
        var pool = JsonDocument.Parse(await lifeline.GetStringAsync(new Uri("/", UriKind.Relative))).RootElement.GetProperty("pool");
        pool.GetProperty("state").GetString().ShouldBe("starved");
        pool.GetProperty("cause").GetString().ShouldBe("blocked");
        pool.GetProperty("advice").GetString()!.ShouldContain($"GET {path}");
        pool.GetProperty("advice").GetString()!.ShouldContain(place);
        await Should.ThrowAsync<OperationCanceledException>(plain);
    }
}
