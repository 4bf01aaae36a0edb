using System.Globalization;
using AsyncProbe.Common;

namespace AsyncProbe.Clocks;

/// <summary>How much CPU the process may use.</summary>
internal static class Cores
{
    private static Answer? s_answer;

    /// <summary>The container's CPU limit in cores; null without a limit, or if it can't be read.</summary>
    public static double? Limit => (s_answer ??= Read())?.Limit;

    /// <summary>
    /// The cores that the process can use at the same time. The runtime rounds a limit up to whole cores, but the scheduler does not.
    /// </summary>
    public static double InForce => Math.Min(Limit ?? double.MaxValue, Environment.ProcessorCount);

    // Null if the process had no file descriptor or memory left to read the limit. The next caller tries again.
    private static Answer? Read()
    {
        try
        {
            return new Answer(ReadLimit());
        }
        catch (Exception)
        {
            Faults.NoteQuietly();
            return null;
        }
    }

    private static double? ReadLimit()
    {
        try
        {
            return OperatingSystem.IsLinux() ? Version2("/sys/fs/cgroup/cpu.max") ?? Version1("/sys/fs/cgroup/cpu/cpu.cfs_") : null;
        }
        catch (Exception e) when (e is DirectoryNotFoundException or FileNotFoundException or UnauthorizedAccessException
            or FormatException)
        {
            return null;
        }
    }

    private static double? Version2(string path)
    {
        if (!File.Exists(path))
        {
            return null;
        }

        var parts = File.ReadAllText(path).Split(' ', StringSplitOptions.TrimEntries);
        return parts is [not "max", var period] ? Ratio(parts[0], period) : null;
    }

    private static double? Version1(string prefix) =>
        File.Exists(prefix + "quota_us") ? Ratio(File.ReadAllText(prefix + "quota_us"), File.ReadAllText(prefix + "period_us")) : null;

    private static double? Ratio(string quota, string period)
    {
        var limit = double.Parse(quota, CultureInfo.InvariantCulture) / double.Parse(period, CultureInfo.InvariantCulture);
        return limit > 0 ? limit : null;
    }

    private sealed record Answer(double? Limit);
}
