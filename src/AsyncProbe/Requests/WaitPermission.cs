using AsyncProbe.Common;

namespace AsyncProbe.Requests;

/// <summary>
/// Whether the waits inside a <see cref="BlockingScope"/> are allowed, and why. Flows with awaits and nests; the innermost one decides.
/// </summary>
internal sealed class WaitPermission
{
    private static readonly AsyncLocal<WaitPermission?> s_current = new();

    private readonly WaitPermission? _outer;
    private readonly string? _reason;
    private readonly RequestProbe? _probe;
    private readonly Duration _blockedBefore;
    private bool _hasEndedEarly;

    private WaitPermission(string? reason, WaitPermission? outer, RequestProbe? probe)
    {
        (_reason, _outer, _probe) = (reason, outer, probe);
        _blockedBefore = probe is null ? Duration.Zero : Undecided(probe);
    }

    /// <summary>Opens a permission for the rest of this flow.</summary>
    /// <param name="reason">Why waits are right here; null to report them again.</param>
    public static WaitPermission Begin(string? reason)
    {
        var probe = ThreadSegments.Current;
        var permission = new WaitPermission(reason, Open(s_current.Value), probe);
        s_current.Value = permission;
        probe?.Permission = permission;
        return permission;
    }

    /// <summary>Restores the outer permission. If an inner one is still open, that one will restore it.</summary>
    public void End()
    {
        if (s_current.Value != this)
        {
            _hasEndedEarly = true;
            return;
        }

        var outer = Open(_outer);
        s_current.Value = outer;
        if (_probe is not { } probe)
        {
            return;
        }

        probe.Permission = outer?._probe == probe ? outer : null;

        // Only the clock sees Thread.Sleep and similar waits. The innermost scope decides about these as well.
        if (!probe.HasEnded && Undecided(probe) - _blockedBefore is var blocked && blocked > Duration.Zero)
        {
            probe.WaitsOrNew().AddUnseen(blocked, isAllowed: _reason is not null);
        }
    }

    /// <summary>Why a wait of the calling thread is allowed; null if it isn't.</summary>
    /// <param name="outside">The reason that applies if no permission is open.</param>
    public static string? ReasonHere(string? outside) => Reason(s_current.Value, outside);

    /// <summary>The same for a request, read from another thread.</summary>
    /// <param name="probe">The request.</param>
    /// <param name="outside">The reason that applies if no permission is open.</param>
    public static string? ReasonFor(RequestProbe probe, string? outside) => Reason(probe.Permission, outside);

    /// <summary>The same for the permission that was open then, even if another is open now.</summary>
    /// <param name="permission">The innermost permission; null if there was none.</param>
    /// <param name="outside">The reason that applies without a permission.</param>
    public static string? Reason(WaitPermission? permission, string? outside) => Open(permission) is { } open ? open._reason : outside;

    /// <summary>Whether waits are allowed under this permission, or under an outer one if it ended early.</summary>
    public bool Allows => Open(this) is { _reason: not null };

    private static WaitPermission? Open(WaitPermission? permission)
    {
        while (permission is { _hasEndedEarly: true })
        {
            permission = permission._outer;
        }

        return permission;
    }

    private static Duration Undecided(RequestProbe probe) =>
        probe.SoFar().Blocked - (probe.Waits is { } waits ? waits.Explained + waits.Disallowed : Duration.Zero);
}
