namespace AsyncProbe.Blocking;

/// <summary>Looks for who is to blame, from the innermost frame outwards.</summary>
/// <param name="handler">The method of the request's endpoint, when it is known and the application's own.</param>
/// <param name="isSampled">True for a stack that was taken from outside, which may wait where no managed wait is.</param>
internal struct BlameSearch(FrameInfo? handler, bool isSampled)
{
    private WaitKind _kind = WaitKind.Other;
    private FrameInfo? _via;
    private FrameInfo? _last;
    private BlameFrame? _library;
    private BlameFrame? _found;

    /// <summary>Whether further frames change nothing.</summary>
    public bool HasEnded { get; private set; }

    /// <summary>Null when AsyncProbe waited for itself, or the framework for itself, or when nothing of the stack has a name.</summary>
    public readonly BlameFrame? Result => HasEnded ? _found : Outside();

    public void Add(FrameInfo info, int ilOffset)
    {
        switch (info.Owner)
        {
            case FrameOwner.Hook:
                return;
            case FrameOwner.Own:
                End(Own(info, ilOffset));
                return;
            case FrameOwner.Probe:
                End(null);
                return;
            case FrameOwner.ProbeEntry:
                End(Outside());
                return;
        }

        if (info.IsHandlerCall && handler is not null)
        {
            End(Own(handler, SiteFrame.Unknown) with { Call = _last });
            return;
        }

        _kind = Outer(_kind, info.Kind);
        if (info is { Owner: FrameOwner.Library, Method.DeclaringType: not null } && (_library is null || (info.IsPublic && _via is null)))
        {
            _library = new BlameFrame(_kind, info, ilOffset, info);
            _via = info.IsPublic ? info : null;
        }

        _last = info;
        if (info.IsMiddleware)
        {
            // Own code in front of it in the pipeline only called the next one.
            End(Outside());
        }
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

    private readonly BlameFrame Own(FrameInfo at, int ilOffset) => new(Named(_last), at, ilOffset, _via ?? (_last is { IsPublic: true } ? _last : null));

    // No own code on the stack. A lock is then the framework's own: it loads a type, or fills a cache for the first time.
    private readonly BlameFrame? Outside() => _kind == WaitKind.Lock || _library is null ? null : _library with { Kind = Named(_library.At) };

    // What a rule does not know waits in native code, unless the hook told of it: then it is own code straight above a managed wait, where
    // the runtime makes a thread wait for another's static constructor.
    private readonly WaitKind Named(FrameInfo? last) =>
        _kind != WaitKind.Other ? _kind : isSampled ? WaitKind.Native : last is null ? WaitKind.Lock : WaitKind.WaitHandle;
}
