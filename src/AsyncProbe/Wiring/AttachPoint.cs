using AsyncProbe.Reporting.Json;

namespace AsyncProbe.Wiring;

/// <summary>
/// Lets a tool that attaches to this process see that it already measures itself, and read its report. The tool has its own copy of
/// AsyncProbe and looks for this type by name, so the name and the type of <see cref="Report"/> must not change.
/// </summary>
internal static class AttachPoint
{
    private static readonly Lock s_lock = new();
    private static readonly List<ReportText> s_hosts = [];

    /// <summary>
    /// Creates the report of the host that started first, for the given number of seconds of history; null if no host measures.
    /// </summary>
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
