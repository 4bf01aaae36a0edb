namespace AsyncProbe.Cli.Stacks;

/// <summary>The process that was looked at.</summary>
internal sealed record LookedProcess
{
    public string Name { get; init; } = "";
    public int Pid { get; init; }
    public string Runtime { get; init; } = "";
}
