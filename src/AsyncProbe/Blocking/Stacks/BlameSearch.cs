namespace AsyncProbe.Blocking.Stacks;

/// <summary>Finds the code to blame, from the innermost frame outwards.</summary>
/// <param name="handler">The method of the request's endpoint, if it is known and is application code.</param>
/// <param name="isSampled">True for a stack taken from outside, whose thread may wait without a managed wait.</param>
/// <param name="running">Finds the method that the waiting thread's task runs, if it is application code.</param>
/// <param name="inlined">The method that waits where the hook's frame is directly beneath application code.</param>
internal struct BlameSearch(FrameInfo? handler, bool isSampled, Func<FrameInfo?>? running = null, FrameInfo? inlined = null)
{
    private WaitKind _kind = WaitKind.Other;
    private bool _isLockOfALibrary;
    private bool _isTakenByRuntime;
    private bool _endsInFramework;
    private FrameInfo? _via;
    private FrameInfo? _last;
    private BlameFrame? _library;
    private BlameFrame? _callback;
    private InlinedCallback? _calledBack;
    private BlameFrame? _taker;
    private BlameFrame? _called;
    private BlameFrame? _found;
    private BlameFrame? _override;
    private string? _owner;

    /// <summary>Whether further frames can no longer change the result.</summary>
    public bool HasEnded { get; private set; }

    /// <summary>Null when AsyncProbe waited for its own purposes, or when no frame of the stack has a name.</summary>
    public readonly BlameFrame? Result =>
        // A sample can't distinguish a thread that waits for the runtime to initialize a type from the thread that initializes it.
        isSampled && _isTakenByRuntime ? null
        : (HasEnded ? _found : _override ?? _called ?? Outside()) is { } result
            ? result with { Library = result is { Part: UserPart.Callback, Kind: not WaitKind.Lock } ? null : _owner }
            : null;

    public void Add(FrameInfo info, int ilOffset)
    {
        if (info.Role == FrameRole.MethodCall)
        {
            // Assume this frame calls the endpoint's method; the next frame may say otherwise.
            _called ??= handler is not null && IsOfHandler(handler) ? OfHandler(handler) : null;
            return;
        }

        if (_last is null && inlined is not null && (info.Owner == FrameOwner.UserCode || info.Part == UserPart.Constructor))
        {
            AddLibrary(inlined, SiteFrame.Unknown);
        }

        if (info.Part is { } part && (WaitsInTheCore(_last) || IsProcess(_last)))
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
                // The hook itself waits, for example on the pool's queue.
                End(null);
                return;
            case FrameOwner.Hook:
                return;
            case FrameOwner.UserCode when _kind == WaitKind.Lock && info.IsConstructor
                && _last is { IsConstructor: true, Owner: FrameOwner.Library }:
                // The base class's constructor takes the lock; the application's constructor only had to call it.
                return;
            case FrameOwner.UserCode when !IsLockOfOthers() && IsOverride(info):
                // Every caller of this override waits here, for example in the application's own SaveChanges. The line to change is the
                // caller's. The base class may call one override from the method that another one overrides.
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

        if (info.IsAsyncStart && _last is not null)
        {
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
        // A package's method that doesn't make the waiting call itself calls the application back. In a sampled stack this may also be a
        // method of the framework, because code that was generated at run time, such as the container's, has no names there.
        if (_library is null && (info.Library is not null || isSampled) && info is { Owner: FrameOwner.Library, HasType: true }
            && WaitsInTheCore(_last))
        {
            _calledBack = new InlinedCallback(info, _last!, MayWaitItself: CallPaths.Calls(info, _last!, CallPaths.Close));
            _callback = _calledBack.MayWaitItself ? null : AtUserCode(info, SiteFrame.Unknown) with { Part = UserPart.Callback };
        }

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
                _taker = new BlameFrame(_kind, info, ilOffset, info) { LockFrame = _last };
            }
        }
        else if (info is { Owner: FrameOwner.Core, IsFramework: true })
        {
            _taker ??= new BlameFrame(_kind, info, ilOffset, info);
        }

        // One of the runtime's own types is used for the first time.
        if (_taker is null && _kind == WaitKind.Lock && info is { Owner: FrameOwner.Core, IsTypeStart: false }
            && _last?.IsTypeStart == true)
        {
            _taker = new BlameFrame(_kind, info, ilOffset, info);
            _isTakenByRuntime = true;
        }

        // Code that was generated at run time only calls other code, which may have been inlined into it.
        if (info.HasType || !WaitsInTheCore(_last))
        {
            _last = info;
        }
    }

    // A lock beneath a command, a request or a query counts as a lock: the library fills a cache, loads a type or waits on a logger's
    // queue.
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

        // No wait for a task sleeps. The task's own code does, inlined into the method that runs it.
        if (inner == WaitKind.Sleep && !outer.IsWide())
        {
            return inner;
        }

        return inner.IsWide() || outer.IsWide() ? WaitKinds.WiderOf(inner, outer) : outer;
    }

    // Whether the frame overrides the library method that it called.
    private readonly bool IsOverride(FrameInfo info) =>
        _last is { Owner: FrameOwner.Library, Method.DeclaringType: { } called } && _last.MethodName == info.MethodName
            && info.Method is { IsVirtual: true, DeclaringType: { } type } && type.IsSubclassOf(called);

    private void End(BlameFrame? found) => (_found, HasEnded) = (found, true);

    // If the endpoint's method makes no such call, the wait may be in a filter that was inlined.
    private readonly BlameFrame OfHandler(FrameInfo endpoint) =>
        AtUserCode(
            endpoint, SiteFrame.Unknown) with { Part = _last is null || CallPaths.Calls(endpoint, _last) ? null : UserPart.Pipeline };

    // If the wait is directly in the core library, or in a method that the handler's code calls, it is in the handler, which was inlined
    // into its caller. The same goes for a wait in a package, which may call the application back: its own method is not the place to
    // change. Otherwise it is in a package's filter, or in the framework's work before or after the handler. A lock statement calls no
    // method by name, so a lock counts only if the handler's code takes it.
    private readonly bool IsOfHandler(FrameInfo endpoint) =>
        _last is null
        || (_kind != WaitKind.Lock && (_last.Owner == FrameOwner.Core || _last is { Library: not null, IsPipelinePart: false }))
        || CallPaths.Calls(endpoint, _last);

    // Application code can also be inlined into the method that passes the request on. If that method doesn't make the waiting call itself,
    // inlined application code made it. The instructions of the application's middleware and filters show later which one. If they don't,
    // the endpoint's method without a line is less wrong than a line in unrelated code.
    private static bool HasVanished(FrameInfo? below, FrameInfo dispatcher) =>
        WaitsInTheCore(below) && !CallPaths.Calls(dispatcher, below!);

    // A lock beneath a command, a request or a query doesn't belong to the line that only started it.
    private readonly bool IsLockOfOthers() =>
        _kind == WaitKind.Lock && _taker is not null && (_isTakenByRuntime || _isLockOfALibrary || _taker.At.IsFramework);

    private static bool WaitsInTheCore(FrameInfo? below) =>
        below is { Owner: FrameOwner.Core, Kind: not (WaitKind.Other or WaitKind.Lock) };

    // A process waits in an assembly of its own.
    private static bool IsProcess(FrameInfo? below) => below is { Owner: FrameOwner.Library, Kind: WaitKind.Process };

    private readonly BlameFrame AtUserCode(FrameInfo at, int ilOffset) =>
        new(Named, at, ilOffset, _via ?? (_last is { IsPublic: true } ? _last : null)) { Call = _last, Callback = _calledBack };

    // The stack has no application code. A lock belongs to the code that takes it, not to the public call further out. A sampled stack that
    // ends in the framework's own code waits in the runtime, which is compiling a method or loading a type for it.
    private readonly BlameFrame? Outside() =>
        _kind == WaitKind.Lock ? _taker
        : _callback is not null ? _callback
        : _library is null || (isSampled && _endsInFramework && _kind == WaitKind.Other) ? null
        : _library with { Kind = Named };

    // A wait that no rule names is in native code, unless the hook reported it.
    private readonly WaitKind Named => _kind != WaitKind.Other ? _kind : isSampled ? WaitKind.Native : WaitKind.WaitHandle;
}
