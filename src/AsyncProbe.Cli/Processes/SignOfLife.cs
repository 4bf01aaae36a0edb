using System.Globalization;

namespace AsyncProbe.Cli.Processes;

/// <summary>
/// The files that the hook leaves in the private folder from now on. The first line differs in each of them. The runtime may report success
/// although the hook did nothing.
/// </summary>
internal sealed class SignOfLife
{
    /// <summary>What the hook writes in a process without ASP.NET Core.</summary>
    public const string NoWebApplication = "not ASP.NET Core";

    private readonly string _path;
    private readonly string? _calledBefore;
    private readonly string? _failedBefore;

    public SignOfLife(string folder, ProcessEntry process)
    {
        _path = Path.Combine(folder, process.OwnPid.ToString(CultureInfo.InvariantCulture));
        (_calledBefore, _failedBefore) = (Called, Failed);
    }

    /// <summary>Whether the runtime has called the hook, which it does before it answers.</summary>
    public bool WasCalled => Called is { } called && called != _calledBefore;

    /// <summary>Why nothing was loaded; null when nothing has gone wrong so far.</summary>
    public string? Failure =>
        Failed is { } failed && failed != _failedBefore ? failed[(failed.IndexOf('\n', StringComparison.Ordinal) + 1)..] : null;

    private string? Called => Read(".called");

    private string? Failed => Read(".failed");

    private string? Read(string kind)
    {
        try
        {
            return File.ReadAllText(_path + kind);
        }
        catch (IOException)
        {
            return null;
        }
    }
}
