namespace AsyncProbe;

/// <summary>
/// Replaces System.Threading.Lock, which .NET 8 doesn't have. It is a monitor, so the <c>lock</c> statement works with it.
/// </summary>
internal sealed class Lock
{
    public bool TryEnter() => Monitor.TryEnter(this);

    public void Exit() => Monitor.Exit(this);
}
