using System.Diagnostics;
using AsyncProbe.Cli.Processes;
using AsyncProbe.Cli.Server;
using AsyncProbe.StackSnapshots.Methods;
using AsyncProbe.StackSnapshots.Runtimes;
using AsyncProbe.StackSnapshots.Trace;

namespace AsyncProbe.Cli.Stacks;

/// <summary>
/// Observes a process's pool threads from outside. The runtime samples their stacks in short windows and lists its methods at the end.
/// Nothing is loaded into the process. Blocks the calling thread.
/// </summary>
internal sealed class StackLook(DotnetProcess process)
{
    // Each sample stops all threads, so windows take up at most a fifth of the time.
    private static readonly TimeSpan s_window = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(400);

    private readonly List<SampledWindow> _windows = [];

    /// <exception cref="ProcessException">The process cannot be sampled.</exception>
    public LookResult Take(TimeSpan length, CancellationToken interrupt)
    {
        if (process.Info.Architecture is "x86" or "arm32")
        {
            throw new ProcessException($"{process.Title} is a 32-bit process: look can only read the stacks of 64-bit processes.");
        }

        var began = DateTimeOffset.UtcNow;
        var since = Stopwatch.GetTimestamp();
        try
        {
            do
            {
                _windows.Add(Sample());
            }
            while (!interrupt.WaitHandle.WaitOne(s_pause) && Stopwatch.GetElapsedTime(since) < length);

            // Listing the methods is not part of it. It takes seconds in a large application.
            var seconds = Math.Round(Stopwatch.GetElapsedTime(since).TotalSeconds, 1);
            if (!_windows.Exists(window => window.HasSamples))
            {
                throw new ProcessException(
                    $"{process.Title} shows no stacks: it was compiled ahead of time (Native AOT), or its runtime had no time to sample.");
            }

            var search = ListMethods();
            using var modules = new RemoteModules(process, search.ModulePaths.Values);
            return new LookFold(modules, search).Fold(_windows) with
            {
                StartedAt = began,
                Seconds = seconds,
                Process = new() { Name = process.Info.Name, Pid = process.Pid, Runtime = process.Info.RuntimeVersion },
            };
        }
        catch (RuntimeRefusedException e)
        {
            throw new ProcessException($"{process.Title} refuses event sessions (error {e.Error:X8}).", e);
        }
        catch (Exception e) when (e is IOException or InvalidDataException)
        {
            throw new ProcessException(
                ProcessEntry.Find(process.Pid)?.StartTime == process.Entry.StartTime
                    ? $"{process.Title} does not answer: {e.Message}"
                    : $"{process.Title} has ended.", e);
        }
    }

    private SampledWindow Sample()
    {
        var window = new SampledWindow();
        using var session = RuntimeTrace.SampleThreads(process.Runtime);
        var before = RunnableTime.Read(process.Entry);
        var after = before;
        RuntimeTrace.Read(
            session,
            () =>
            {
                Thread.Sleep(s_window);
                after = RunnableTime.Read(process.Entry);
            },
            window, Start);
        foreach (var (number, thread) in window.Threads)
        {
            thread.Runnable = before.TryGetValue(number, out var from) && after.TryGetValue(number, out var to) ? to - from : null;
        }

        return window;
    }

    private MethodSearch ListMethods()
    {
        ulong[] addresses =
        [
            .. _windows.SelectMany(window => window.Threads.Values)
                .SelectMany(thread => thread.Outside.Keys.Concat(thread.Inside.Keys)).SelectMany(stack => stack).Distinct().Order(),
        ];
        var search = new MethodSearch(addresses);
        using var session = RuntimeTrace.ListMethods(process.Runtime);
        RuntimeTrace.Read(session, () => { }, search, Start);
        return search;
    }

    private static Action Start(Action work)
    {
        var thread = new Thread(() => work()) { IsBackground = true, Name = "asyncprobe session end" };
        thread.Start();
        return thread.Join;
    }
}
