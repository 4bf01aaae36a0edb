using System.Globalization;

namespace AsyncProbe.Cli.Processes;

/// <summary>What the hook leaves in the private folder. That the runtime reports success proves nothing.</summary>
internal sealed class SignOfLife(string folder, ProcessEntry process)
{
    /// <summary>The hook's word for a process without ASP.NET Core.</summary>
    public const string NoWebApplication = "not ASP.NET Core";

    private readonly string _path = Path.Combine(folder, process.OwnPid.ToString(CultureInfo.InvariantCulture));

    /// <summary>Whether the runtime has called the hook, which it does before it answers.</summary>
    public bool WasCalled => File.Exists(_path + ".called");

    /// <summary>Why nothing was loaded; null when nothing went wrong so far.</summary>
    public string? Failure => File.Exists(_path + ".failed") ? File.ReadAllText(_path + ".failed") : null;

    /// <summary>Forgets an earlier attach.</summary>
    public void Clear()
    {
        File.Delete(_path + ".called");
        File.Delete(_path + ".failed");
    }
}
