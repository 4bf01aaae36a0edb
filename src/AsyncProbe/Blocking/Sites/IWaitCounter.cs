using AsyncProbe.Blocking.Stacks;

namespace AsyncProbe.Blocking.Sites;

/// <summary>Counts waits for the metrics.</summary>
internal interface IWaitCounter
{
    void Add(WaitKind kind, long waits);

    /// <summary>Counts the time that call sites have blocked since the last call.</summary>
    void AddTime();
}
