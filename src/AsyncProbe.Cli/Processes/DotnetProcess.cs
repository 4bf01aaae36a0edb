using AsyncProbe.StackSnapshots.Runtimes;

namespace AsyncProbe.Cli.Processes;

/// <summary>A running .NET process that accepts diagnostics commands.</summary>
internal sealed record DotnetProcess
{
    public required ProcessEntry Entry { get; init; }
    public required RuntimeAddress Runtime { get; init; }
    public required ProcessInfo Info { get; init; }

    public int Pid => Entry.Pid;

    /// <summary>Whether it has ended; another process may have its id now.</summary>
    public bool HasEnded => ProcessEntry.Find(Pid)?.StartTime != Entry.StartTime;

    /// <summary>How to name the process to a person.</summary>
    public string Title => $"{Info.Name} (pid {Pid}, .NET {Info.RuntimeVersion})";
}
