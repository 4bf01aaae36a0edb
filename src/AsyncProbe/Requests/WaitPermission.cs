using AsyncProbe.Common;

namespace AsyncProbe.Requests;

/// <summary>
/// What a <see cref="BlockingScope"/> says of the waits in it. Flows with awaits, and nests; the innermost one decides.
/// </summary>
internal sealed class WaitPermission
{
    private static readonly AsyncLocal<WaitPermission?> s_current = new();

    private readonly WaitPermission? _outer;
    private readonly string? _reason;
    private readonly RequestProbe? _probe;
    private readonly Duration _blockedBefore;

    private WaitPermission(string? reason, WaitPermission? outer, RequestProbe? probe)
    {
        (_reason, _outer, _probe) = (reason, outer, probe);
        _blockedBefore = probe is null ? Duration.Zero : Unexplained(probe);
    }

    /// <summary>Opens one for what follows in this flow.</summary>
    /// <param name="reason">Why waits are right here; null where they are to be reported again.</param>
    public static WaitPermission Begin(string? reason)
    {
        var probe = ThreadSegments.Current;
        var permission = new WaitPermission(reason, s_current.Value, probe);
        s_current.Value = permission;
        probe?.Permission = permission;
        return permission;
    }

    /// <summary>Goes back to the one outside.</summary>
    public void End()
    {
        // Only where it is the innermost: one that was ended elsewhere must not bring an older one back.
        if (s_current.Value != this)
        {
            return;
        }

        s_current.Value = _outer;
        if (_probe is not { } probe)
        {
            return;
        }

        probe.Permission = _outer?._probe == probe ? _outer : null;

        // Thread.Sleep and its like are known to the clock alone; in here they are allowed as well.
        if (_reason is not null && !probe.HasEnded && Unexplained(probe) - _blockedBefore is var blocked && blocked > Duration.Zero)
        {
            probe.WaitsOrNew().AddAllowed(blocked);
        }
    }

    /// <summary>Why a wait of the calling thread is allowed; null when it is not.</summary>
    /// <param name="outside">The reason that holds where no permission is open.</param>
    public static string? ReasonHere(string? outside) => Reason(s_current.Value, outside);

    /// <summary>The same for a request, read from another thread.</summary>
    /// <param name="probe">The request.</param>
    /// <param name="outside">The reason that holds where no permission is open.</param>
    public static string? ReasonFor(RequestProbe probe, string? outside) => Reason(probe.Permission, outside);

    /// <summary>The same for the permission that was open, whatever is open by now.</summary>
    /// <param name="permission">The innermost one; null when there was none.</param>
    /// <param name="outside">The reason that holds then.</param>
    public static string? Reason(WaitPermission? permission, string? outside) => permission is null ? outside : permission._reason;

    /// <summary>Whether it allows the waits in it.</summary>
    public bool Allows => _reason is not null;

    private static Duration Unexplained(RequestProbe probe) => probe.SoFar().Blocked - (probe.Waits?.Explained ?? Duration.Zero);
}
