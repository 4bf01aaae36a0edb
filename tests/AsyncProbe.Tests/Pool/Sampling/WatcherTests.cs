using System.Globalization;
using AsyncProbe.Clocks;
using AsyncProbe.Common;
using AsyncProbe.Pool.Sampling;
using Microsoft.Extensions.Logging.Abstractions;

namespace AsyncProbe.Tests.Pool.Sampling;

public sealed class WatcherTests
{
    private static readonly TimeSpan s_timeout = ProbedApp.Timeout;

    [Fact]
    public async Task Watcher_IsShared_AndEndsWithItsLastHost()
    {
        var (first, second) = (new Listener(), new Listener());
        var (one, other) = (Watcher.Subscribe(first, first.Faults), Watcher.Subscribe(second, second.Faults));
        await first.Ticked.WaitAsync(s_timeout);
        await second.Ticked.WaitAsync(s_timeout);
        await UntilThreadsAsync(1);

        one.Dispose();
        second.Restart();
        await second.Ticked.WaitAsync(s_timeout);
        await UntilThreadsAsync(1);

        other.Dispose();
        await UntilThreadsAsync(0);
    }

    [Fact]
    public async Task Watcher_StartsAnew_AfterTheLastHostHasLeft()
    {
        var listener = new Listener();
        Watcher.Subscribe(listener, listener.Faults).Dispose();
        var again = Watcher.Subscribe(listener, listener.Faults);

        await listener.Ticked.WaitAsync(s_timeout);

        again.Dispose();
        await UntilThreadsAsync(0);
    }

    [Fact]
    public async Task Watcher_GoesOn_WhenAListenerThrows()
    {
        var (bad, good) = (new Listener { Throws = true }, new Listener());
        using var one = Watcher.Subscribe(bad, bad.Faults);
        using var other = Watcher.Subscribe(good, good.Faults);

        await good.Ticked.WaitAsync(s_timeout);
        await Eventually.TrueAsync(() => bad.Faults.Count > 1, "the other one was not told again");
    }

    [Fact]
    public async Task Hosts_LeakNothing_OverAHundredStartsAndStops()
    {
        await CycleAsync(5);
        await UntilThreadsAsync(0);
        var (files, memory) = (CountFiles(), GC.GetTotalMemory(forceFullCollection: true));

        await CycleAsync(100);

        await UntilThreadsAsync(0);
        // The pool may have grown in the meantime, and each of its threads keeps one file; a leak would be a hundred.
        await Eventually.TrueAsync(() => CountFiles() <= files + 50, "files are left open");
        await Eventually.TrueAsync(
            () => GC.GetTotalMemory(forceFullCollection: true) - memory < 4_000_000, "the memory has grown by four megabytes");
    }

    [Fact]
    public async Task Cpu_IsWhatTheKernelCounts()
    {
        await using var app = await ProbedApp.StartAsync(_ => { });
        var before = KernelCpuMs();

        // The report has the figure for the last full second.
        var reported = 0.0;
        await Eventually.TrueAsync(
            async () => (reported = (await app.ReportAsync()).GetProperty("probe").GetProperty("cpuMs").GetDouble()) >= before,
            () => $"{reported} ms are reported, {before} were used before");

        // The kernel updates its figure at least once per scheduler tick.
        reported.ShouldBeLessThanOrEqualTo(KernelCpuMs() + 10);
    }

    private static double KernelCpuMs() =>
        Directory.EnumerateDirectories("/proc/self/task")
            .Where(task => NameOf(task).StartsWith("AsyncProbe watc", StringComparison.Ordinal))
            .Select(task => TextOf(task, "schedstat").Split(' ')[0])
            .Sum(nanoseconds => nanoseconds.Length == 0 ? 0 : double.Parse(nanoseconds, CultureInfo.InvariantCulture) / 1e6);

    private static async Task CycleAsync(int count)
    {
        var port = $"{FreePort.Take()}";
        for (var i = 0; i < count; i++)
        {
            await using var app = await ProbedApp.StartAsync(_ => { }, configure: b => b.Configuration["AsyncProbe:LifelinePort"] = port);
            using var response = await app.GetAsync("/_threadpool");
        }
    }

    private static Task UntilThreadsAsync(int count)
    {
        string[] names = [];
        return Eventually.TrueAsync(
            () =>
            {
                names = OwnThreads();
                return Task.FromResult(names.Length == count);
            },
            () => $"{count} threads of AsyncProbe should be left, and these are: {string.Join(", ", names)}");
    }

    // The kernel keeps the first 15 characters of a name.
    private static string[] OwnThreads() =>
        [.. Directory.EnumerateDirectories("/proc/self/task").Select(NameOf).Where(
            n => n.StartsWith("AsyncProbe", StringComparison.Ordinal))];

    private static string NameOf(string task) => TextOf(task, "comm");

    private static string TextOf(string task, string file)
    {
        try
        {
            return File.ReadAllText(Path.Combine(task, file)).Trim();
        }
        catch (IOException)
        {
            // The thread has ended in the meantime.
            return "";
        }
    }

    // The files that AsyncProbe opens: the run-queue files of threads, and the lifeline's sockets. The host's own files aren't counted.
    private static int CountFiles() => Directory.EnumerateFileSystemEntries("/proc/self/fd").Count(file => TargetOf(file) is { } target
        && (target.Contains("schedstat", StringComparison.Ordinal) || target.Contains("socket:", StringComparison.Ordinal)));

    private static string? TargetOf(string file)
    {
        try
        {
            return File.ResolveLinkTarget(file, returnFinalTarget: false)?.FullName;
        }
        catch (IOException)
        {
            // It was closed in the meantime.
            return null;
        }
    }

    private sealed class Listener : IWatcherListener
    {
        private volatile TaskCompletionSource _ticked = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public Task Ticked => _ticked.Task;

        public bool Throws { get; init; }

        public Faults Faults { get; } = new(NullLogger<Faults>.Instance);

        public void Restart() => _ticked = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);

        public void OnTick(PoolSample sample, LiveSegments live)
        {
            _ticked.TrySetResult();
            if (Throws)
            {
                throw new InvalidOperationException("A listener that fails.");
            }
        }

        public void OnSecond(PoolSample sample, LiveSegments live, ProcessLoad load)
        {
        }
    }
}
