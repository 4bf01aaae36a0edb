namespace AsyncProbe.Clocks;

/// <summary>
/// The threads of the runtime's pool as the operating system names them, those that never ran a request included. Linux alone tells.
/// </summary>
internal static class PoolWorkers
{
    private const string Threads = "/proc/self/task";

    private static ReadOnlySpan<byte> Name => ".NET TP Worker"u8;

    /// <summary>The operating system's ids, busy or idle; null where nobody can tell. Some 20 µs a thread.</summary>
    public static IReadOnlyList<int>? FindIds()
    {
        if (!OperatingSystem.IsLinux() || !LinuxThreadClock.IsSupported)
        {
            return null;
        }

        try
        {
            List<int> ids = [];
            foreach (var folder in Directory.EnumerateDirectories(Threads))
            {
                if (int.TryParse(Path.GetFileName(folder), out var id) && LinuxThreadClock.IsNamed(id, Name))
                {
                    ids.Add(id);
                }
            }

            return ids;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    /// <summary>How many of the pool's threads, without some, have a core or want one at this moment; null where nobody can tell.</summary>
    public static int? CountRunning(IReadOnlySet<int> without) =>
        FindIds()?.Count(id => !without.Contains(id) && ThreadClock.WantsToRun(id));
}
