using System.Globalization;

namespace AsyncProbe.Cli.Processes;

/// <summary>A process as the operating system describes it.</summary>
internal sealed record ProcessEntry
{
    public required int Pid { get; init; }

    /// <summary>Its id in its own namespace, which is the id it knows itself by.</summary>
    public required int OwnPid { get; init; }

    /// <summary>The user's id; null when the system doesn't report it.</summary>
    public uint? UserId { get; init; }

    /// <summary>When it started, in the form used in the name of its diagnostics socket.</summary>
    public required string StartTime { get; init; }

    /// <summary>The root of its file system as seen from here; empty when it shares this tool's file system.</summary>
    public string Root { get; init; } = "";

    /// <summary>Null when there is no such process.</summary>
    public static ProcessEntry? Find(int pid) => OperatingSystem.IsLinux() ? OnLinux(pid) : Elsewhere(pid);

    private static ProcessEntry? OnLinux(int pid)
    {
        try
        {
            var folder = string.Create(CultureInfo.InvariantCulture, $"/proc/{pid}");
            var stat = File.ReadAllText(folder + "/stat");
            var status = File.ReadAllLines(folder + "/status");
            return new()
            {
                Pid = pid,
                OwnPid = Numbers(status, "NSpid:") is [.., var own] ? (int)own : pid,
                UserId = Numbers(status, "Uid:") is [_, var effective, ..] ? effective : null,
                // The 22nd field; the second, a name, may contain spaces.
                StartTime = stat[(stat.LastIndexOf(')') + 2)..].Split(' ')[19],
                Root = IsOwnFileSystem(folder) ? "" : folder + "/root",
            };
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or IndexOutOfRangeException)
        {
            return null;
        }
    }

    private static ProcessEntry? Elsewhere(int pid)
    {
        try
        {
            using var process = System.Diagnostics.Process.GetProcessById(pid);
            return new() { Pid = pid, OwnPid = pid, StartTime = "0" };
        }
        catch (ArgumentException)
        {
            return null;
        }
    }

    // Without permission to check, assume the same file system: connecting then fails with a better reason.
    private static bool IsOwnFileSystem(string folder)
    {
        try
        {
            return new FileInfo(folder + "/ns/mnt").LinkTarget is not { } link || link == new FileInfo("/proc/self/ns/mnt").LinkTarget;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return true;
        }
    }

    private static List<uint> Numbers(string[] status, string name) =>
        [.. (Array.Find(status, line => line.StartsWith(name, StringComparison.Ordinal)) ?? name)[name.Length..]
            .Split(['\t', ' '], StringSplitOptions.RemoveEmptyEntries)
            .Select(number => uint.Parse(number, CultureInfo.InvariantCulture))];
}
