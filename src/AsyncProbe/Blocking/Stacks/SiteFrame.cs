using System.Reflection;

namespace AsyncProbe.Blocking.Stacks;

/// <summary>
/// A place in a method. What vanished into it, the file and the line are looked up on demand, by those who read and never by the thread
/// that waited: the first look into an assembly's symbols takes milliseconds.
/// </summary>
/// <param name="onStack">The method that the stack shows, or the endpoint's, if the stack shows none.</param>
/// <param name="ilOffset">Where in it.</param>
/// <param name="call">The nearest frame beneath; null when nothing is to be looked for.</param>
/// <param name="frames">Knows the application's methods.</param>
/// <param name="part">What is to be looked for, where <paramref name="onStack"/> is only the best guess.</param>
/// <param name="isInCatch">Whether the place may be that of an exception which the method handles; null when nobody knows.</param>
internal sealed class SiteFrame(
    FrameInfo onStack, int ilOffset, FrameInfo? call = null, Frames? frames = null, UserPart? part = null, bool? isInCatch = null)
{
    /// <summary>The offset of a place that only its method is known of.</summary>
    public const int Unknown = -1;

    // By its name: the build for .NET 8, which has no such type, runs on .NET 9 too.
    private const string LockType = "System.Threading.Lock";

    private static readonly string[] s_oneTime =
    [
        "System.Runtime.CompilerServices.InitHelpers.", "System.Runtime.CompilerServices.RuntimeHelpers.",
    ];

    private Found? _found;

    /// <summary>The method that the stack shows: what rules and counts go by.</summary>
    public FrameInfo OnStack => onStack;

    /// <summary>
    /// The package whose code waits here, and which owns the lock, the queue or the connection; null when the application or the framework
    /// does.
    /// </summary>
    public string? Library { get; init; }

    /// <summary>The method that waits, which optimised code may have taken into the one on the stack.</summary>
    public FrameInfo Frame => Resolved.Frame;

    /// <summary>
    /// Whether a lock here may be one of a start that never comes again, until it is seen later too: the framework's caches, lazy values,
    /// static constructors. A lock statement of the application's is none.
    /// </summary>
    public bool MayBeOneTime =>
        onStack.Owner != FrameOwner.UserCode || call is not { Kind: WaitKind.Lock }
            || Array.Exists(s_oneTime, name => call.FullName.StartsWith(name, StringComparison.Ordinal));

    public SourceLine? Line => Resolved.Line;

    /// <summary>Kept: a report of a large app asks for thousands of them.</summary>
    public string Text => field ??= Line is { } line ? $"{Frame.ShortName} ({line.FileName}:{line.Line})" : Frame.ShortName;

    // Two readers at once find the same.
    private Found Resolved => Volatile.Read(ref _found) ?? Resolve();

    public WaitKind Refine(WaitKind kind)
    {
        var at = Resolved;
        return at.Frame.Method is { } method
            ? CallSiteIl.Refine(kind, method, at.From, at.To, isGuess: kind is WaitKind.Lock or WaitKind.Native && call is null)
            : kind;
    }

    /// <summary>What to await in the place of the call that blocks; null when nothing can be, or nobody knows.</summary>
    /// <param name="kind">How it blocks.</param>
    /// <param name="via">The library's method that is called in the end.</param>
    public string? FindAwaitable(WaitKind kind, FrameInfo? via)
    {
        try
        {
            // Nobody can await a lock. What a library waits for inside is out of reach; its own method may have a twin.
            return kind == WaitKind.Lock ? null
                : kind is WaitKind.TaskWait or WaitKind.TaskResult or WaitKind.TaskGetResult or WaitKind.ValueTask
                    && call is null or { Owner: FrameOwner.Core } ? AwaitableTwins.AwaitIt
                : Callees(kind).Append(call?.Method).Append(via?.Method).OfType<MethodBase>()
                    .Select(callee => AwaitableTwins.Find(callee, kind)).FirstOrDefault(twin => twin is not null);
        }
        catch (Exception)
        {
            // Whatever the code refers to and is not there.
            return null;
        }
    }

    // The calls of the statement that may be the one on the stack.
    private IEnumerable<MethodBase> Callees(WaitKind kind)
    {
        var at = Resolved;
        return onStack.Owner == FrameOwner.UserCode && at.To > at.From && at.Frame.Method is { } method
            ? CallSiteIl.CallsButAwaits(method, at.From, at.To).Select(c => c.Target)
                .Where(t => call is null || kind == WaitKind.EfCore || CallSiteIl.Makes(t, call))
            : [];
    }

    private Found Resolve()
    {
        Found found;
        try
        {
            found = Find();
        }
        catch (Exception)
        {
            // Types and files may be missing, images damaged: a place without a line is still a place.
            found = new Found(onStack, null, 0, 0);
        }

        Volatile.Write(ref _found, found);
        return found;
    }

    private Found Find()
    {
        if (onStack.Method is not { } method)
        {
            return new Found(onStack, null, 0, 0);
        }

        if (call is null || frames is null)
        {
            return At(onStack, method, IsNoPlace(method) ? Unknown : frames is null ? ilOffset : NativePlace(method));
        }

        var nearby = new NearbyCalls(call, frames);
        var (from, to) = ilOffset < 0 ? (0, int.MaxValue) : CallSiteIl.Statement(method, ilOffset);
        var places = onStack.Owner == FrameOwner.UserCode
            ? CallPaths.Find(method, from, to, call, frames.UserMethods.IsUserCode, frames.UserMethods.Overrides)
            : [];
        if (ilOffset >= 0 && onStack.Owner == FrameOwner.UserCode && InHandler(method, from, to, mayLead: places.Count > 0) is { } handled)
        {
            return handled;
        }

        if (ilOffset >= 0 && onStack.Owner == FrameOwner.UserCode && !places.Exists(p => p.Method == method)
            && nearby.FindElsewhere(method, from, to) is { } elsewhere)
        {
            return At(onStack, method, elsewhere);
        }

        // Only where the stack shows no own method: one that it shows is never passed over for another.
        if (places.Count == 0 && part is { } vanished)
        {
            places = [.. frames.UserMethods.Find(vanished).SelectMany(
                own => CallPaths.Find(own, 0, int.MaxValue, call, frames.UserMethods.IsUserCode, frames.UserMethods.Overrides)).Distinct()];
        }

        // The call in front of the place, for code whose places are told as where the call returns.
        if (places.Count == 0 && ilOffset >= CallSiteIl.CallLength)
        {
            places = CallPaths.Find(
                method, ilOffset - CallSiteIl.CallLength, ilOffset, call, frames.UserMethods.IsUserCode, frames.UserMethods.Overrides);
        }

        if (places.Count == 0 && ilOffset >= 0 && (nearby.FindStacked(method, from) ?? nearby.FindOnly(method, from, to)) is { } found)
        {
            return At(onStack, method, found);
        }

        if (places.Count == 0 && IsNoPlace(method))
        {
            return At(onStack, method, Unknown);
        }

        // Where the stack shows the place and its statement makes the call, it is the place.
        if (ilOffset >= 0 && (places.Count == 0 || places.Exists(p => p.Method == method)))
        {
            return At(onStack, method, ilOffset);
        }

        if (places.Select(p => p.Method).Distinct().ToList() is [var only])
        {
            return At(frames.Get(only), only, places is [var place] ? place.IlOffset : Unknown);
        }

        // No line is less wrong than that of a method which may not have waited.
        return part is null ? At(onStack, method, ilOffset) : new Found(onStack, null, 0, 0);
    }

    // A call of native code leaves nothing beneath the method that makes it.
    private int NativePlace(MethodBase method)
    {
        if (ilOffset < 0 || NativeCalls.In(method) is not { Count: > 0 } calls)
        {
            return ilOffset;
        }

        var (from, to) = CallSiteIl.Statement(method, ilOffset);
        return calls.Any(at => at >= from && at <= to) ? ilOffset : calls is [var only] ? only : Unknown;
    }

    // Null when no handler of the method makes the call; without a line when it may be another place too.
    private Found? InHandler(MethodBase method, int from, int to, bool mayLead) =>
        new HandlerSearch(call!, frames!).Find(method, ilOffset, (from, to), isInCatch, mayLead) switch
        {
            null => null,
            { Method: null } => new Found(onStack, null, 0, 0),
            { Method: { } own } place => At(own == method ? onStack : frames!.Get(own), own, place.IlOffset)
                with { Line = SourceLines.Find(own, place.LineOffset) },
        };

    // Whether what is told is no place of a call. The beginning is one in optimised code, which tells it for the whole first statement.
    private bool IsNoPlace(MethodBase method) =>
        isInCatch == true
        || (ilOffset == 0 && !CallPaths.MayVanishInto(method) && Handlers.Find(method, ilOffset, isInCatch: false).Any());

    private Found At(FrameInfo frame, MethodBase method, int offset)
    {
        if (offset < 0)
        {
            return new Found(frame, SourceLines.Only(method), 0, 0);
        }

        var (from, to) = CallSiteIl.Statement(method, offset);
        return new Found(
            frame, IsLockStatement(method, from, to) ? SourceLines.Behind(method, offset) : SourceLines.Find(method, offset), from, to);
    }

    // The compiler gives a lock statement on System.Threading.Lock no place of its own: its call stands behind the statement before, or the
    // brace.
    private bool IsLockStatement(MethodBase method, int from, int to) =>
        call?.Kind == WaitKind.Lock
        && CallSiteIl.Calls(method, from, to)
            .FirstOrDefault(c => c.Target.DeclaringType?.FullName == LockType) is { Target.Name: "EnterScope", Offset: var at }
        && (SourceLines.IsBrace(method, from) || StackedCalls.IsEmptyBetween(method, from, at));

    private sealed record Found(FrameInfo Frame, SourceLine? Line, int From, int To);
}
