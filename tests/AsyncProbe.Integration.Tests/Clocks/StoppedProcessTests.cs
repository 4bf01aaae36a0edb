using System.Diagnostics;
using System.Text.Json;
using AsyncProbe.Tests;
using AsyncProbe.Tests.Blocking;
using Microsoft.AspNetCore.Builder;
using Microsoft.Extensions.Logging;

namespace AsyncProbe.Integration.Tests.Clocks;

public sealed class StoppedProcessTests
{
    private const int Stops = 3;

    private static readonly TimeSpan s_stop = TimeSpan.FromSeconds(1.5);

    [Fact]
    public async Task StopAndContinue_IsNotBlockedTime()
    {
        using var server = Process.Start(new ProcessStartInfo(
            "dotnet",
            [Path.Combine(AppContext.BaseDirectory, "AsyncProbe.TestServer.dll"), "--urls", "http://127.0.0.1:0", "--environment",
                "Development", "--log", "Information"])
        { RedirectStandardOutput = true })!;
        try
        {
            // On a crowded machine these seconds of work take minutes.
            using var client = new HttpClient { BaseAddress = await AddressOf(server), Timeout = 6 * ProbedApp.Timeout };
            (await client.GetAsync(new Uri("/cpu?ms=1", UriKind.Relative))).Dispose();

            var request = client.GetAsync(new Uri("/cpu?ms=2500", UriKind.Relative));
            for (var i = 0; i < Stops; i++)
            {
                await Task.Delay(300);
                await SignalAsync(server, "-STOP");
                await Task.Delay(s_stop);
                await SignalAsync(server, "-CONT");
            }

            using var response = await request;

            response.Number("X-AsyncProbe-Cpu-Ms").ShouldBeGreaterThan(1200);

            // One in a few hundred stops hits the moment at which the watcher works. It then looks like a slow logger.
            response.Number("X-AsyncProbe-Blocked-Ms").ShouldBeLessThan(s_stop.TotalMilliseconds + 500);
            var report = JsonDocument.Parse(await client.GetStringAsync(new Uri("/_threadpool", UriKind.Relative))).RootElement;
            report.GetProperty("sites").GetArrayLength().ShouldBe(0);
        }
        finally
        {
            server.Kill();
            await server.WaitForExitAsync().WaitAsync(ProbedApp.Timeout);
        }
    }

    // The watcher reports stops, and it also writes the log.
    [Fact]
    public async Task SlowLogger_IsNotTakenForAStop()
    {
        using var log = new StuckLog();
        await using var app = await ProbedApp.StartAsync(
            a =>
            {
                a.MapGet("/waits", () => Waiting.ForTask());
                a.MapGet("/sleeps", () => Thread.Sleep(2000));
            },
            configure: b => b.Logging.AddProvider(log));
        // On a crowded core, a wait may end while it still spins, and then it isn't reported.
        await Eventually.TrueAsync(
            async () =>
            {
                await app.GetManyAsync("/waits", 1);
                return log.IsStuck.IsCompleted;
            },
            "no wait was logged");

        using var response = await app.GetAsync("/sleeps");

        response.Number("X-AsyncProbe-Blocked-Ms").ShouldBeGreaterThan(1000);
    }

    private static async Task<Uri> AddressOf(Process server)
    {
        const string Listening = "Now listening on: ";
        while (await server.StandardOutput.ReadLineAsync().WaitAsync(ProbedApp.Timeout) is { } line)
        {
            if (line.IndexOf(Listening, StringComparison.Ordinal) is >= 0 and var at)
            {
                return new Uri(line[(at + Listening.Length)..].Trim());
            }
        }

        throw new InvalidOperationException("The server ended before it listened.");
    }

    private static async Task SignalAsync(Process process, string signal)
    {
        using var kill = Process.Start("kill", [signal, process.Id.ToString(System.Globalization.CultureInfo.InvariantCulture)]);
        await kill.WaitForExitAsync().WaitAsync(ProbedApp.Timeout);
    }

    /// <summary>Accepts a call site's line, and doesn't return until the test is over.</summary>
    private sealed class StuckLog : ILoggerProvider, ILogger
    {
        private readonly TaskCompletionSource _isStuck = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private readonly ManualResetEventSlim _isOver = new();

        public Task IsStuck => _isStuck.Task;

        public ILogger CreateLogger(string categoryName) => this;

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(
            LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
        {
            if (eventId.Name == "SiteFound")
            {
                _isStuck.TrySetResult();
                _isOver.Wait(ProbedApp.Timeout);
            }
        }

        public void Dispose() => _isOver.Set();
    }
}
