namespace AsyncProbe.Cli.Snapshots;

/// <summary>
/// The server's history over a long time, assembled from many answers. Its length is bounded, but no maximum is lost.
/// </summary>
internal sealed class MomentHistory
{
    private const int Most = 7200;

    private List<PoolMoment> _moments = [];

    public IReadOnlyList<PoolMoment> Add(IReadOnlyList<PoolMoment> piece)
    {
        var last = _moments.Count == 0 ? null : _moments[^1].At;
        _moments.AddRange(piece.Where(moment => last is null || moment.At > last));
        if (_moments.Count > Most)
        {
            _moments = [.. _moments.Chunk(2).Select(pair => pair.Length == 1 ? pair[0] : Worse(pair[0], pair[1]))];
        }

        return [.. _moments];
    }

    private static PoolMoment Worse(PoolMoment a, PoolMoment b) => new(
        b.At, Max(a.Threads, b.Threads), Max(a.Pending, b.Pending), Max(a.Busy, b.Busy), Max(a.QueueDelayMs, b.QueueDelayMs),
        Max(a.BlockedThreads, b.BlockedThreads), Max(a.CpuPercent, b.CpuPercent));

    private static double? Max(double? a, double? b) => a is null ? b : b is null ? a : Math.Max(a.Value, b.Value);
}
