namespace AsyncProbe.Cli.Server;

/// <summary>How often the server was polled, by outcome.</summary>
internal sealed class PollCounts
{
    private readonly int[] _counts = new int[Enum.GetValues<ServerStatus>().Length];

    public int All => _counts.Sum();

    public int WithoutAnswer => All - _counts[(int)ServerStatus.Joined];

    /// <summary>How often only the lifeline answered.</summary>
    public int FromLifeline { get; private set; }

    /// <summary>The outcome of the last poll.</summary>
    public ServerStatus Last { get; private set; }

    public int Get(ServerStatus status) => _counts[(int)status];

    public void Add(ServerAnswer answer)
    {
        Last = answer.Snapshot is null ? answer.Status : ServerStatus.Joined;
        _counts[(int)Last]++;
        FromLifeline += answer.FromLifeline ? 1 : 0;
    }
}
