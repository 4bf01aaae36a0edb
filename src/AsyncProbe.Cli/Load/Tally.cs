using AsyncProbe.Cli.Statistics;

namespace AsyncProbe.Cli.Load;

/// <summary>The figures of one request of the session in one recorder.</summary>
internal sealed class Tally
{
    /// <summary>Limits the number of distinct error texts, because they can contain addresses and numbers.</summary>
    private const int MaxReasons = 50;

    public Histogram Succeeded { get; } = new();

    public Histogram FailedTimes { get; } = new();

    /// <summary>Succeeded requests again, timed from their actual start; used only where that differs from the planned one.</summary>
    public Histogram FromSend { get; } = new();

    /// <summary>How long after its planned start each request was sent.</summary>
    public Histogram SendLag { get; } = new(Histogram.CoarseBits);

    public Dictionary<int, long> Statuses { get; } = [];

    public Dictionary<string, long> Reasons { get; } = [];

    public long BytesReceived { get; set; }

    public long BytesSent { get; set; }

    /// <summary>Requests that ended within the measured time, even if they began in the warm-up; throughput is based on these.</summary>
    public long EndedInTime { get; set; }

    /// <summary>How many of those got a response.</summary>
    public long AnsweredInTime { get; set; }

    /// <summary>Open model: how many of those ended in the later half of the plan.</summary>
    public long EndedSettled { get; set; }

    public long Late { get; set; }

    public long Requests => Succeeded.Count + FailedTimes.Count;

    public static Tally[] Many(int count) => [.. Enumerable.Range(0, count).Select(_ => new Tally())];

    public void AddReason(string reason, long count)
    {
        reason = Reasons.Count < MaxReasons || Reasons.ContainsKey(reason) ? reason : "other reasons";
        Reasons[reason] = Reasons.GetValueOrDefault(reason) + count;
    }

    public void AddStatus(int status, long count) => Statuses[status] = Statuses.GetValueOrDefault(status) + count;

    public void Add(Tally other)
    {
        Succeeded.Add(other.Succeeded);
        FailedTimes.Add(other.FailedTimes);
        FromSend.Add(other.FromSend);
        SendLag.Add(other.SendLag);
        BytesReceived += other.BytesReceived;
        BytesSent += other.BytesSent;
        EndedInTime += other.EndedInTime;
        AnsweredInTime += other.AnsweredInTime;
        EndedSettled += other.EndedSettled;
        Late += other.Late;
        foreach (var (reason, count) in other.Reasons)
        {
            AddReason(reason, count);
        }

        foreach (var (status, count) in other.Statuses)
        {
            AddStatus(status, count);
        }
    }
}
