using System.Globalization;

namespace AsyncProbe.Cli.Processes;

/// <summary>The files that the hook leaves in the private folder. The runtime may report success although the hook did nothing.</summary>
internal sealed class SignOfLife(string folder, ProcessEntry process)
{
    /// <summary>What the hook writes in a process without ASP.NET Core.</summary>
    public const string NoWebApplication = "not ASP.NET Core";

    private readonly string _path = Path.Combine(folder, process.OwnPid.ToString(CultureInfo.InvariantCulture));

    /// <summary>Whether the runtime has called the hook, which it does before it answers.</summary>
    public bool WasCalled => File.Exists(_path + ".called");

    /// <summary>Why nothing was loaded; null when nothing has gone wrong so far.</summary>
    public string? Failure => File.Exists(_path + ".failed") ? File.ReadAllText(_path + ".failed") : null;

    /// <summary>Deletes the files of an earlier attach.</summary>
    public void Clear()
    {
        File.Delete(_path + ".called");
        File.Delete(_path + ".failed");
    }
}
