namespace AsyncProbe.Attach.Tests;

/// <summary>What the kernel knows about another process.</summary>
internal static class ProcessFiles
{
    /// <summary>The first 15 characters of each thread's name.</summary>
    public static List<string> Threads(string pid) =>
        [.. Directory.GetDirectories($"/proc/{pid}/task").Select(NameOf).OfType<string>()];

    /// <summary>
    /// The open files, pipes and event queues, except assemblies, which the runtime keeps open once it has loaded them. The number of sockets
    /// depends on the load, and that of the kernel's files on the number of pool threads.
    /// </summary>
    public static IEnumerable<string> Open(string pid) => Directory.GetFiles($"/proc/{pid}/fd")
        .Select(file => new FileInfo(file).LinkTarget)
        .OfType<string>()
        .Where(target => !target.StartsWith("socket:", StringComparison.Ordinal) && !target.StartsWith("/proc/", StringComparison.Ordinal)
            && !target.Contains(".dll", StringComparison.Ordinal));

    private static string? NameOf(string task)
    {
        try
        {
            return File.ReadAllText(Path.Combine(task, "comm")).Trim();
        }
        catch (IOException)
        {
            // The thread has ended.
            return null;
        }
    }
}
