namespace AsyncProbe;

/// <summary>.NET 8 has no System.Threading.Lock: what is used of it, by a monitor, which the <c>lock</c> statement takes too.</summary>
internal sealed class Lock
{
    public bool TryEnter() => Monitor.TryEnter(this);

    public void Exit() => Monitor.Exit(this);
}
