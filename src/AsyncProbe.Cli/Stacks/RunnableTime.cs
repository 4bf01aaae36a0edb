using System.Globalization;
using AsyncProbe.Cli.Processes;

namespace AsyncProbe.Cli.Stacks;

/// <summary>How long each thread of a process has run or waited for a core so far, as Linux counts it.</summary>
internal static class RunnableTime
{
    /// <summary>By the thread ids that the process itself uses; empty if the system doesn't report them.</summary>
    public static IReadOnlyDictionary<int, TimeSpan> Read(ProcessEntry process)
    {
        Dictionary<int, TimeSpan> times = [];
        if (!OperatingSystem.IsLinux())
        {
            return times;
        }

        try
        {
            foreach (var thread in Directory.EnumerateDirectories(string.Create(CultureInfo.InvariantCulture, $"/proc/{process.Pid}/task")))
            {
                Add(thread, process, times);
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // The process has ended.
        }

        return times;
    }

    /// <param name="schedstat">The text of the thread's file with that name.</param>
    /// <returns>Null when the kernel keeps no such statistics: its file then holds only zeros, but every thread has run.</returns>
    public static TimeSpan? Parse(string schedstat)
    {
        var fields = schedstat.Split(' ');
        return Nanoseconds(fields[0]) is > 0 and var ran
            ? TimeSpan.FromTicks((ran + Nanoseconds(fields[1])) / TimeSpan.NanosecondsPerTick)
            : null;

        static long Nanoseconds(string field) => long.Parse(field, CultureInfo.InvariantCulture);
    }

    private static void Add(string thread, ProcessEntry process, Dictionary<int, TimeSpan> times)
    {
        try
        {
            var number = process.OwnPid == process.Pid ? Path.GetFileName(thread) : OwnNumber(thread);
            if (Parse(File.ReadAllText(thread + "/schedstat")) is { } time)
            {
                times[int.Parse(number, CultureInfo.InvariantCulture)] = time;
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or FormatException)
        {
            // The thread has ended, or the kernel has no such statistics.
        }
    }

    // In another PID namespace, the process uses different ids for its threads.
    private static string OwnNumber(string thread) =>
        File.ReadLines(thread + "/status").First(line => line.StartsWith("NSpid:", StringComparison.Ordinal)).Split('\t')[^1];
}
