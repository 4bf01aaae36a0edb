namespace AsyncProbe.Blocking.Stacks;

/// <summary>Looks for who is to blame, from the innermost frame outwards.</summary>
/// <param name="handler">The method of the request's endpoint, when it is known and the application's own.</param>
/// <param name="isSampled">True for a stack that was taken from outside, which may wait where no managed wait is.</param>
/// <param name="running">Finds the method of the waiting thread's task, if it is the application's own.</param>
internal struct BlameSearch(FrameInfo? handler, bool isSampled, Func<FrameInfo?>? running = null)
{
    private WaitKind _kind = WaitKind.Other;
    private bool _isLockOfALibrary;
    private bool _isTakenByRuntime;
    private bool _endsInFramework;
    private FrameInfo? _via;
    private FrameInfo? _last;
    private BlameFrame? _library;
    private BlameFrame? _taker;
    private BlameFrame? _called;
    private BlameFrame? _found;
    private BlameFrame? _override;
    private string? _owner;

    /// <summary>Whether further frames change nothing.</summary>
    public bool HasEnded { get; private set; }

    /// <summary>Null when AsyncProbe waited for itself, or when nothing of the stack has a name.</summary>
    public readonly BlameFrame? Result =>
        // A sample can't tell a thread that waits for the runtime to start a type from one that starts it.
        isSampled && _isTakenByRuntime ? null
        : (HasEnded ? _found : _override ?? _called ?? Outside()) is { } result ? result with { Library = _owner } : null;

    public void Add(FrameInfo info, int ilOffset)
    {
        if (info.Role == FrameRole.MethodCall)
        {
            // Of the endpoint's method, unless the next frame says that it is another.
            _called ??= handler is not null && IsOfHandler(handler) ? OfHandler(handler) : null;
            return;
        }

        if (info.Part is { } part && WaitsInTheCore(_last))
        {
            End(AtUserCode(info, SiteFrame.Unknown) with { Part = part });
            return;
        }

        if (_called is not null)
        {
            End(_called);
            return;
        }

        if (_override is not null && (info.Role != FrameRole.None || info.Owner is FrameOwner.Probe or FrameOwner.ProbeEntry))
        {
            End(_override);
            return;
        }

        switch (info.Owner)
        {
            case FrameOwner.Hook when _last is not null
                && info.MethodName is not (nameof(SynchronizationContext.Wait) or nameof(SynchronizationContext.Send)):
                // The hook itself waits, for the pool's queue for example.
                End(null);
                return;
            case FrameOwner.Hook:
                return;
            case FrameOwner.UserCode when _kind == WaitKind.Lock && info.IsConstructor
                && _last is { IsConstructor: true, Owner: FrameOwner.Library }:
                // The base class's constructor takes the lock; the own one only had to call it.
                return;
            case FrameOwner.UserCode when _override is null && !IsLockOfOthers() && IsOverride(info):
                // All of its callers wait here: SaveChanges of the application's own context, for example. The line to change is theirs.
                _override = AtUserCode(info, ilOffset);
                _last = info;
                return;
            case FrameOwner.UserCode:
                End(IsLockOfOthers() ? _taker : AtUserCode(info, ilOffset) with { Through = _override?.At });
                return;
            case FrameOwner.Probe:
                End(null);
                return;
            case FrameOwner.ProbeEntry:
                End(Outside());
                return;
        }

        switch (info.Role)
        {
            case FrameRole.Resumption:
                End(Outside());
                return;
            case FrameRole.TaskCall when WaitsInTheCore(_last) && running?.Invoke() is { } task && CallPaths.Calls(task, _last!):
                End(AtUserCode(task, SiteFrame.Unknown));
                return;
            case FrameRole.HandlerCall when handler is not null && IsOfHandler(handler):
                End(OfHandler(handler));
                return;
        }

        var below = _last;
        AddLibrary(info, ilOffset);
        if (info.Role == FrameRole.Dispatch || (info.Role == FrameRole.HandlerCall && info.HasType))
        {
            End(
                HasVanished(below, info)
                    ? AtUserCode(handler ?? info, SiteFrame.Unknown) with { Call = below, Part = UserPart.Pipeline }
                    : Outside());
        }
    }

    private void AddLibrary(FrameInfo info, int ilOffset)
    {
        _kind = Outer(_kind, info.Kind);
        _owner ??= info.Library;
        _endsInFramework |= _last is null && info is { Owner: FrameOwner.Library, IsFramework: true };
        if (info is { Owner: FrameOwner.Library, HasType: true })
        {
            if (_library is null || (info.IsPublic && _via is null))
            {
                _library = new BlameFrame(_kind, info, ilOffset, info);
                _via = info.IsPublic ? info : null;
            }

            if (_taker is null && !info.IsTool)
            {
                _taker = new BlameFrame(_kind, info, ilOffset, info);
            }
        }
        else if (info is { Owner: FrameOwner.Core, IsFramework: true })
        {
            _taker ??= new BlameFrame(_kind, info, ilOffset, info);
        }

        // A type of the runtime's own that is used for the first time.
        if (_taker is null && _kind == WaitKind.Lock && info is { Owner: FrameOwner.Core, IsTypeStart: false }
            && _last?.IsTypeStart == true)
        {
            _taker = new BlameFrame(_kind, info, ilOffset, info);
            _isTakenByRuntime = true;
        }

        _last = info;
    }

    // A lock beneath a command, a request or a query is a lock: a cache that is filled, a type that is loaded, a logger's queue.
    private WaitKind Outer(WaitKind inner, WaitKind outer)
    {
        if (outer == WaitKind.Other || _isLockOfALibrary)
        {
            return inner;
        }

        if (inner == WaitKind.Lock && outer.IsWide())
        {
            _isLockOfALibrary = true;
            return inner;
        }

        return inner.IsWide() || outer.IsWide() ? WaitKinds.WiderOf(inner, outer) : outer;
    }

    // It overrides the library's method that it has called.
    private readonly bool IsOverride(FrameInfo info) =>
        _last is { Owner: FrameOwner.Library, Method.DeclaringType: { } called } && _last.MethodName == info.MethodName
            && info.Method is { IsVirtual: true, DeclaringType: { } type } && type.IsSubclassOf(called);

    private void End(BlameFrame? found) => (_found, HasEnded) = (found, true);

    // A filter may have vanished where the endpoint's method makes no such call.
    private readonly BlameFrame OfHandler(FrameInfo endpoint) =>
        AtUserCode(
            endpoint, SiteFrame.Unknown) with { Part = _last is null || CallPaths.Calls(endpoint, _last) ? null : UserPart.Pipeline };

    // What waits directly in the core, or in what the handler's own code calls, waits in the handler, which vanished into its caller; what
    // the framework does before and after it is the framework's. Nobody calls a lock by name, so a lock must be in the handler's code.
    private readonly bool IsOfHandler(FrameInfo endpoint) =>
        _last is null || (_last.Owner == FrameOwner.Core && _kind != WaitKind.Lock) || CallPaths.Calls(endpoint, _last);

    // Own code vanishes into what passes the request on, too: what does not call the wait itself has called own code that did. Which, the
    // instructions of the application's parts of the pipeline tell later; if they do not, the endpoint's method without a line is less
    // wrong than somebody else's line.
    private static bool HasVanished(FrameInfo? below, FrameInfo dispatcher) =>
        WaitsInTheCore(below) && !CallPaths.Calls(dispatcher, below!);

    // A lock beneath a command, a request or a query is not that of the line that only made it.
    private readonly bool IsLockOfOthers() =>
        _kind == WaitKind.Lock && _taker is not null && (_isTakenByRuntime || _isLockOfALibrary || _taker.At.IsFramework);

    private static bool WaitsInTheCore(FrameInfo? below) =>
        below is { Owner: FrameOwner.Core, Kind: not (WaitKind.Other or WaitKind.Lock) };

    private readonly BlameFrame AtUserCode(FrameInfo at, int ilOffset) =>
        new(Named(_last), at, ilOffset, _via ?? (_last is { IsPublic: true } ? _last : null)) { Call = _last };

    // No own code on the stack. A lock belongs to the code that takes it, which is no business of the public call further out.
    // A sampled stack that ends in the framework's own code waits in the runtime, which compiles a method or loads a type for it.
    private readonly BlameFrame? Outside() =>
        _kind == WaitKind.Lock ? _taker : _library is null || (isSampled && _endsInFramework && _kind == WaitKind.Other)
            ? null
            : _library with { Kind = Named(_library.At) };

    // What a rule does not know waits in native code, unless the hook told of it: then it is own code straight above a managed wait, where
    // the runtime makes a thread wait for another's static constructor.
    private readonly WaitKind Named(FrameInfo? last) =>
        _kind != WaitKind.Other ? _kind : isSampled ? WaitKind.Native : last is null ? WaitKind.Lock : WaitKind.WaitHandle;
}
