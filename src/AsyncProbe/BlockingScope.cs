using AsyncProbe.Requests;

namespace AsyncProbe;

/// <summary>
/// A stretch of code whose waits are meant to be: <c>using (BlockingScope.Allow("reason")) { … }</c>. Flows with awaits, and nests; the
/// innermost scope decides.
/// </summary>
public sealed class BlockingScope : IDisposable
{
    private static readonly AsyncLocal<BlockingScope?> s_current = new();

    private readonly BlockingScope? _outer;
    private readonly string? _reason;
    private readonly RequestProbe? _probe;
    private readonly long _blockedBefore;

    private BlockingScope(string? reason)
    {
        _reason = reason;
        _outer = s_current.Value;
        s_current.Value = this;
        if (ThreadSegments.Current is { } probe)
        {
            _probe = probe;
            _blockedBefore = Unexplained(probe);
            probe.Scope = this;
        }
    }

    /// <summary>Counts waits under the reason, without a warning, until the scope is disposed.</summary>
    /// <param name="reason">Why blocking is right here; shown in the report.</param>
    /// <exception cref="ArgumentException"><paramref name="reason"/> is empty.</exception>
    public static BlockingScope Allow(string reason)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(reason);
        return new BlockingScope(reason);
    }

    /// <summary>
    /// Reports waits again inside an <see cref="Allow"/> or an <see cref="AllowBlockingAttribute"/>, until the scope is disposed. Rules of
    /// <see cref="AsyncProbeOptions.Allow"/> still hold.
    /// </summary>
    public static BlockingScope Disallow() => new(null);

    /// <summary>Goes back to the scope outside.</summary>
    public void Dispose()
    {
        // Only where it is the innermost: a scope that was disposed elsewhere must not bring an older one back.
        if (s_current.Value != this)
        {
            return;
        }

        s_current.Value = _outer;

        if (_probe is not { } probe)
        {
            return;
        }

        probe.Scope = _outer?._probe == probe ? _outer : null;

        // Thread.Sleep and its like are known to the clock alone; in here they are allowed as well.
        if (_reason is not null && !probe.HasEnded && Unexplained(probe) - _blockedBefore is > 0 and var blocked)
        {
            probe.WaitsOrNew().AddAllowed(blocked);
        }
    }

    /// <param name="outside">The leave that holds where no scope is open.</param>
    internal static string? ReasonHere(string? outside) => s_current.Value is { } scope ? scope._reason : outside;

    /// <summary>The leave of a request's innermost open scope, read from another thread.</summary>
    /// <param name="probe">The request.</param>
    /// <param name="outside">The leave that holds where no scope is open.</param>
    internal static string? ReasonOf(RequestProbe probe, string? outside) => probe.Scope is { } scope ? scope._reason : outside;

    private static long Unexplained(RequestProbe probe) => probe.SoFar().Blocked - (probe.Waits?.Explained ?? 0);
}
