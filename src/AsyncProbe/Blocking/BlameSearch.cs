namespace AsyncProbe.Blocking;

/// <summary>Looks for who is to blame, from the innermost frame outwards.</summary>
/// <param name="isSampled">True for a stack that was taken from outside, which may wait where no managed wait is.</param>
internal struct BlameSearch(bool isSampled)
{
    private WaitKind _kind = WaitKind.Other;
    private FrameInfo? _via;
    private int _viaOffset;
    private FrameInfo? _last;
    private BlameFrame? _found;

    /// <summary>Whether further frames change nothing.</summary>
    public bool HasEnded { get; private set; }

    /// <summary>Null when AsyncProbe waited for itself, or when nothing of the stack has a name.</summary>
    public readonly BlameFrame? Result => HasEnded ? _found : Outside();

    public void Add(FrameInfo info, int ilOffset)
    {
        switch (info.Owner)
        {
            case FrameOwner.Hook:
                return;
            case FrameOwner.Own:
                End(new BlameFrame(Named(), info, ilOffset, _via ?? NearestPublic()));
                return;
            case FrameOwner.Probe:
                End(null);
                return;
            case FrameOwner.ProbeEntry:
                End(Outside());
                return;
        }

        _kind = Outer(_kind, info.Kind);
        if (info is { IsPublic: true, Owner: FrameOwner.Library } && _via is null)
        {
            (_via, _viaOffset) = (info, ilOffset);
        }

        _last = info;
    }

    private static WaitKind Outer(WaitKind inner, WaitKind outer)
    {
        if (outer == WaitKind.Other)
        {
            return inner;
        }

        return KindRules.IsWide(inner) || KindRules.IsWide(outer) ? (WaitKind)Math.Max((int)inner, (int)outer) : outer;
    }

    private void End(BlameFrame? found) => (_found, HasEnded) = (found, true);

    // What a rule does not know waits in native code, unless the hook told of it: then it is own code straight above a managed wait, where
    // the runtime makes a thread wait for another's static constructor.
    private readonly WaitKind Named() =>
        _kind != WaitKind.Other ? _kind : isSampled ? WaitKind.Native : _last is null ? WaitKind.Lock : WaitKind.WaitHandle;

    private readonly FrameInfo? NearestPublic() => _last is { IsPublic: true } ? _last : null;

    private readonly BlameFrame? Outside() =>
        (_via ?? _last) is { } at ? new BlameFrame(Named(), at, _via is null ? 0 : _viaOffset, _via) : null;
}
