using AsyncProbe.Reporting.Json;

namespace AsyncProbe.Wiring;

/// <summary>
/// Where a tool that attaches to this process finds that it measures itself already, and reads its report. The tool has an AsyncProbe of
/// its own and looks for this type by its name, so the name and the type of <see cref="Report"/> stay as they are.
/// </summary>
internal static class AttachPoint
{
    private static readonly Lock s_lock = new();
    private static readonly List<ReportText> s_hosts = [];

    /// <summary>Makes the report of the host that started first, for so many seconds of history; null where no host measures.</summary>
    public static Func<int, byte[]>? Report
    {
        get
        {
            lock (s_lock)
            {
                return s_hosts is [var first, ..] ? first.MakeCopy : null;
            }
        }
    }

    public static void Add(ReportText report)
    {
        lock (s_lock)
        {
            if (!s_hosts.Contains(report))
            {
                s_hosts.Add(report);
            }
        }
    }

    public static void Remove(ReportText report)
    {
        lock (s_lock)
        {
            s_hosts.Remove(report);
        }
    }
}
