using AsyncProbe.Blocking.Code;
using AsyncProbe.Blocking.Kinds;
using AsyncProbe.Blocking.Methods;

namespace AsyncProbe.Blocking.Stacks;

/// <summary>Finds the code to blame, from the innermost frame outwards.</summary>
/// <param name="handler">The method of the request's endpoint, if it is known and is application code.</param>
/// <param name="isSampled">True for a stack taken from outside, whose thread may wait without a managed wait.</param>
/// <param name="running">Finds the method that the waiting thread's task runs, if it is application code.</param>
/// <param name="inlined">The method that waits where the hook's frame is directly beneath application code.</param>
internal struct BlameSearch(FrameInfo? handler, bool isSampled, Func<FrameInfo?>? running = null, FrameInfo? inlined = null)
{
    private FramesBeneath _beneath = new(isSampled);
    private BlameFrame? _called;
    private BlameFrame? _found;
    private BlameFrame? _override;

    /// <summary>Whether further frames can no longer change the result.</summary>
    public bool HasEnded { get; private set; }

    /// <summary>Null when AsyncProbe waited for its own purposes, or when no frame of the stack has a name.</summary>
    public readonly BlameFrame? Result =>
        // A sample can't distinguish a thread that waits for the runtime to initialize a type from the thread that initializes it.
        isSampled && _beneath.IsTakenByRuntime ? null
        : (HasEnded ? _found : _override ?? _called ?? _beneath.Outside()) is { } result
            ? result with { Library = result is { Part: UserPart.Callback, Kind: not WaitKind.Lock } ? null : _beneath.Library }
            : null;

    public void Add(FrameInfo info, int ilOffset)
    {
        if (info.Role == FrameRole.MethodCall)
        {
            // Assume this frame calls the endpoint's method; the next frame may say otherwise.
            _called ??= handler is not null && IsOfHandler(handler) ? OfHandler(handler) : null;
            return;
        }

        if (_beneath.Last is null && inlined is not null && (info.Owner == FrameOwner.UserCode || info.Part == UserPart.Constructor))
        {
            _beneath.Add(inlined, SiteFrame.Unknown);
        }

        if (info.Part is { } part && (_beneath.LastWaitsInTheCore || _beneath.LastIsProcess))
        {
            End(_beneath.BlameFor(info, SiteFrame.Unknown) with { Part = part });
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
            case FrameOwner.Hook:
                AddHook(info);
                break;
            case FrameOwner.UserCode:
                AddApplication(info, ilOffset);
                break;
            case FrameOwner.Probe:
                End(null);
                break;
            case FrameOwner.ProbeEntry:
                End(_beneath.Outside());
                break;
            default:
                AddLibrary(info, ilOffset);
                break;
        }
    }

    private void AddHook(FrameInfo info)
    {
        if (_beneath.Last is not null
            && info.MethodName is not (nameof(SynchronizationContext.Wait) or nameof(SynchronizationContext.Send)))
        {
            // The hook itself waits, for example on the pool's queue.
            End(null);
        }
    }

    private void AddApplication(FrameInfo info, int ilOffset)
    {
        if (_beneath.Kind == WaitKind.Lock && info.IsConstructor && _beneath.Last is { IsConstructor: true, Owner: FrameOwner.Library })
        {
            // The base class's constructor takes the lock; the application's constructor only had to call it.
            return;
        }

        if (_beneath.IsLockOfOthers)
        {
            End(_beneath.Taker);
        }
        else if (IsOverride(info))
        {
            // Every caller of this override waits here, for example in the application's own SaveChanges. The line to change is the
            // caller's. The base class may call one override from the method that another one overrides.
            _override = _beneath.BlameFor(info, ilOffset);
            _beneath.Pass(info);
        }
        else
        {
            End(_beneath.BlameFor(info, ilOffset) with { Through = _override?.At });
        }
    }

    private void AddLibrary(FrameInfo info, int ilOffset)
    {
        switch (info.Role)
        {
            case FrameRole.Resumption:
                End(_beneath.Outside());
                return;
            case FrameRole.TaskCall when _beneath.LastWaitsInTheCore && running?.Invoke() is { } task
                && CallPaths.Calls(task, _beneath.Last!):
                End(_beneath.BlameFor(task, SiteFrame.Unknown));
                return;
            case FrameRole.HandlerCall when handler is not null && IsOfHandler(handler):
                End(OfHandler(handler));
                return;
        }

        if (info.IsAsyncStart && _beneath.Last is not null)
        {
            return;
        }

        var (below, mayHaveVanished) = (_beneath.Last, _beneath.LastWaitsInTheCore);
        _beneath.Add(info, ilOffset);

        // Application code can also be inlined into the method that passes the request on. If that method doesn't make the waiting call
        // itself, inlined application code made it. The instructions of the application's middleware and filters show later which one. If
        // they don't, the endpoint's method without a line is less wrong than a line in unrelated code.
        if (info.Role == FrameRole.Dispatch || (info.Role == FrameRole.HandlerCall && info.HasType))
        {
            End(
                mayHaveVanished && !CallPaths.Calls(info, below!)
                    ? _beneath.BlameFor(handler ?? info, SiteFrame.Unknown) with { Call = below, Part = UserPart.Pipeline }
                    : _beneath.Outside());
        }
    }

    // Whether the frame overrides the library method that it called.
    private readonly bool IsOverride(FrameInfo info) =>
        _beneath.Last is { Owner: FrameOwner.Library, Method.DeclaringType: { } called } last && last.MethodName == info.MethodName
            && info.Method is { IsVirtual: true, DeclaringType: { } type } && type.IsSubclassOf(called);

    private void End(BlameFrame? found) => (_found, HasEnded) = (found, true);

    // If the endpoint's method makes no such call, the wait may be in a filter that was inlined.
    private readonly BlameFrame OfHandler(FrameInfo endpoint) => _beneath.BlameFor(endpoint, SiteFrame.Unknown) with
    {
        Part = _beneath.Last is not { } last || CallPaths.Calls(endpoint, last) ? null : UserPart.Pipeline,
    };

    // If the wait is directly in the core library, or in a method that the handler's code calls, it is in the handler, which was inlined
    // into its caller. The same goes for a wait in a package, which may call the application back: its own method is not the place to
    // change. Otherwise it is in a package's filter, or in the framework's work before or after the handler. A lock statement calls no
    // method by name, so a lock counts only if the handler's code takes it.
    private readonly bool IsOfHandler(FrameInfo endpoint) =>
        _beneath.Last is not { } last
        || (_beneath.Kind != WaitKind.Lock && last is { Owner: FrameOwner.Core } or { Library: not null, IsPipelinePart: false })
        || CallPaths.Calls(endpoint, last);
}
