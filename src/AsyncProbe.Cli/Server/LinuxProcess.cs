using System.Globalization;

namespace AsyncProbe.Cli.Server;

/// <summary>A process on Linux. Its number alone could be that of a later process.</summary>
/// <param name="Parent">The process that started it.</param>
/// <param name="Started">When it started, in the system's clock ticks.</param>
/// <param name="HasEnded">Whether it only waits for its parent to ask for its exit code.</param>
internal sealed record LinuxProcess(int Pid, int Parent, string Started, bool HasEnded)
{
    /// <summary>Null when there is no such process.</summary>
    public static LinuxProcess? Find(int pid)
    {
        try
        {
            var stat = File.ReadAllText(string.Create(CultureInfo.InvariantCulture, $"/proc/{pid}/stat"));
            // The second field, a name, may contain spaces.
            var fields = stat[(stat.LastIndexOf(')') + 2)..].Split(' ');
            return new(pid, int.Parse(fields[1], CultureInfo.InvariantCulture), fields[19], HasEnded: fields[0] == "Z");
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    /// <summary>The process and its descendants.</summary>
    public static List<LinuxProcess> FindTree(int root)
    {
        var all = Directory.EnumerateDirectories("/proc").Select(Path.GetFileName)
            .Select(name => int.TryParse(name, NumberStyles.None, CultureInfo.InvariantCulture, out var pid) ? Find(pid) : null)
            .OfType<LinuxProcess>().ToList();
        var children = all.ToLookup(process => process.Parent);
        var found = all.FindAll(process => process.Pid == root);
        for (var i = 0; i < found.Count; i++)
        {
            found.AddRange(children[found[i].Pid]);
        }

        return found;
    }

    public bool Runs() => Find(Pid) is { HasEnded: false } now && now.Started == Started;
}
