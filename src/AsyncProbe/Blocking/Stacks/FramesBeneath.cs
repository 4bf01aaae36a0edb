using AsyncProbe.Blocking.Code;
using AsyncProbe.Blocking.Kinds;
using AsyncProbe.Blocking.Methods;
using AsyncProbe.Blocking.Places;

namespace AsyncProbe.Blocking.Stacks;

/// <summary>
/// The frames of libraries and of the runtime that a search has passed so far, from the innermost outwards: how they wait, and for whom.
/// </summary>
/// <param name="isSampled">True for a stack taken from outside, whose thread may wait without a managed wait.</param>
internal struct FramesBeneath(bool isSampled)
{
    private bool _isLockOfALibrary;
    private bool _beginInFramework;
    private FrameInfo? _via;
    private BlameFrame? _call;
    private BlameFrame? _callback;
    private InlinedCallback? _calledBack;

    /// <summary>How they wait; <see cref="WaitKind.Other"/> if no rule names it.</summary>
    public WaitKind Kind { get; private set; } = WaitKind.Other;

    /// <summary>The outermost of them, or the frame of the application that was passed after it.</summary>
    public FrameInfo? Last { get; private set; }

    /// <summary>The method that takes the lock.</summary>
    public BlameFrame? Taker { get; private set; }

    /// <summary>The name of the innermost package; null if there is none.</summary>
    public string? Library { get; private set; }

    /// <summary>Whether the runtime takes the lock because one of its own types is used for the first time.</summary>
    public bool IsTakenByRuntime { get; private set; }

    /// <summary>Whether the outermost of them is in the core library and waits.</summary>
    public readonly bool LastWaitsInTheCore => Last is { Owner: FrameOwner.Core, Kind: not (WaitKind.Other or WaitKind.Lock) };

    /// <summary>Whether the outermost of them waits for a process, which has an assembly of its own.</summary>
    public readonly bool LastIsProcess => Last is { Owner: FrameOwner.Library, Kind: WaitKind.Process };

    /// <summary>
    /// Whether they wait for a lock beneath a command, a request or a query. It doesn't belong to the line that only started it.
    /// </summary>
    public readonly bool IsLockOfOthers =>
        Kind == WaitKind.Lock && Taker is not null && (IsTakenByRuntime || _isLockOfALibrary || Taker.At.IsFramework);

    // A wait that no rule names is in native code, unless the hook reported it.
    private readonly WaitKind Named => Kind != WaitKind.Other ? Kind : isSampled ? WaitKind.Native : WaitKind.WaitHandle;

    public void Add(FrameInfo info, int ilOffset)
    {
        // A package's method that doesn't make the waiting call itself calls the application back. In a sampled stack this may also be a
        // method of the framework, because code that was generated at run time, such as the container's, has no names there.
        if (_call is null && (info.Library is not null || isSampled) && info is { Owner: FrameOwner.Library, HasType: true }
            && LastWaitsInTheCore)
        {
            _calledBack = new InlinedCallback(info, Last!, MayWaitItself: CallPaths.Calls(info, Last!, CallPaths.Close));
            _callback = _calledBack.MayWaitItself ? null : BlameFor(info, SiteFrame.Unknown) with { Part = UserPart.Callback };
        }

        Kind = Outer(Kind, info.Kind);
        Library ??= info.Library;
        _beginInFramework |= Last is null && info is { Owner: FrameOwner.Library, IsFramework: true };
        if (info is { Owner: FrameOwner.Library, HasType: true })
        {
            if (_call is null || (info.IsPublic && _via is null))
            {
                _call = new BlameFrame(Kind, info, ilOffset, info);
                _via = info.IsPublic ? info : null;
            }

            if (Taker is null && !info.IsTool)
            {
                Taker = new BlameFrame(Kind, info, ilOffset, info) { LockFrame = Last };
            }
        }
        else if (info is { Owner: FrameOwner.Core, IsFramework: true })
        {
            Taker ??= new BlameFrame(Kind, info, ilOffset, info);
        }

        // One of the runtime's own types is used for the first time.
        if (Taker is null && Kind == WaitKind.Lock && info is { Owner: FrameOwner.Core, IsTypeStart: false }
            && Last?.IsTypeStart == true)
        {
            Taker = new BlameFrame(Kind, info, ilOffset, info);
            IsTakenByRuntime = true;
        }

        // Code that was generated at run time only calls other code, which may have been inlined into it.
        if (info.HasType || !LastWaitsInTheCore)
        {
            Last = info;
        }
    }

    /// <summary>Passes a frame of the application that only hands the call on.</summary>
    public void Pass(FrameInfo info) => Last = info;

    /// <summary>The blame for the method whose frame comes next, or was inlined there.</summary>
    public readonly BlameFrame BlameFor(FrameInfo at, int ilOffset) =>
        new(Named, at, ilOffset, _via ?? (Last is { IsPublic: true } ? Last : null)) { Call = Last, Callback = _calledBack };

    /// <summary>
    /// The code to blame if the stack has no application code. A lock belongs to the code that takes it, not to the public call further
    /// out. A sampled stack whose innermost frame is the framework's waits in the runtime, which is compiling a method or loading a type
    /// for it.
    /// </summary>
    public readonly BlameFrame? Outside() =>
        Kind == WaitKind.Lock ? Taker
        : _callback is not null ? _callback
        : _call is null || (isSampled && _beginInFramework && Kind == WaitKind.Other) ? null
        : _call with { Kind = Named };

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
}
