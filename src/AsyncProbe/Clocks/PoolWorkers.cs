namespace AsyncProbe.Clocks;

/// <summary>
/// Finds the threads of the runtime's pool by their names in the operating system, even those that never ran a request. Linux only.
/// </summary>
internal static class PoolWorkers
{
    private const string Threads = "/proc/self/task";

    private static ReadOnlySpan<byte> Name => ".NET TP Worker"u8;

    /// <summary>The operating system's ids of busy and idle pool threads; null if unknown. Takes about 20 µs per thread.</summary>
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

    /// <summary>How many pool threads, except the given ones, currently have a core or want one; null if unknown.</summary>
    public static int? CountRunning(IReadOnlySet<int> without) =>
        FindIds()?.Count(id => !without.Contains(id) && ThreadClock.WantsToRun(id));
}
