using System.Reflection;
using AsyncProbe.Blocking.Alternatives;
using AsyncProbe.Blocking.Code;
using AsyncProbe.Blocking.Kinds;
using AsyncProbe.Blocking.Methods;
using AsyncProbe.Blocking.Places;
using AsyncProbe.Blocking.Sources;

namespace AsyncProbe.Blocking.Stacks;

/// <summary>
/// A place in a method. Readers resolve inlined methods, the file and the line on demand, never the thread that waited: the first access to
/// an assembly's symbols takes milliseconds.
/// </summary>
/// <param name="onStack">The method on the stack; the endpoint's method if the stack shows none.</param>
/// <param name="ilOffset">The reported place in it.</param>
/// <param name="call">The nearest frame beneath; null without a call to search for.</param>
/// <param name="frames">Describes methods and lists the application's.</param>
/// <param name="part">The kind of application code to search. Set when <paramref name="onStack"/> is only the best guess.</param>
/// <param name="isInCatch">Whether the place may be that of an exception that the method handles; null when unknown.</param>
internal sealed class SiteFrame(
    FrameInfo onStack, int ilOffset, FrameInfo? call = null, Frames? frames = null, UserPart? part = null, bool? isInCatch = null)
{
    /// <summary>The offset when only the method is known.</summary>
    public const int Unknown = -1;

    // Compared by name, because the build for .NET 8, which has no such type, also runs on .NET 9.
    private const string LockType = "System.Threading.Lock";

    private Found? _found;

    /// <summary>The method on the stack, which rules and counts use.</summary>
    public FrameInfo OnStack => onStack;

    /// <summary>The application's override through which this place calls the library; null when there is none.</summary>
    public FrameInfo? Through { get; init; }

    /// <summary>
    /// The package whose code waits here and which owns the lock, queue or connection; null when the application or the framework does.
    /// </summary>
    public string? Library { get; init; }

    /// <summary>
    /// The wait that may be that of application code which a library called; null when it isn't beneath a library.
    /// </summary>
    public InlinedCallback? Callback { get; init; }

    /// <summary>The frame beneath a package's method that seems to take a lock; null for other places.</summary>
    public FrameInfo? LockFrame { get; init; }

    /// <summary>The method that waits, which optimised code may have inlined into the one on the stack.</summary>
    public FrameInfo Frame => Resolved.Frame;

    /// <summary>
    /// Whether a lock here may belong to one-time startup work, until it is also seen later: the framework's caches, lazy values, static
    /// constructors. A lock statement in application code never does.
    /// </summary>
    public bool MayBeOneTime =>
        onStack.Owner != FrameOwner.UserCode || call is not { Kind: WaitKind.Lock } || call.IsTypeStart;

    /// <summary>Whether no other method lies between this one and the wait.</summary>
    public bool WaitsItself => !Resolved.IsCaller && Beneath is null or { Owner: FrameOwner.Core };

    public SourceLine? Line => Resolved.Line;

    /// <summary>Whether the method holds a lock while it waits here.</summary>
    public bool IsInLock => Resolved is { Frame.Method: { } method, To: > 0 } at && LockStatements.Contain(method, at.From);

    /// <summary>
    /// The method's name. If the code that waits was inlined into it and isn't known, it says that this method called it.
    /// </summary>
    public string Name => IsCaller ? $"code called by {Frame.ShortName}" : Frame.ShortName;

    /// <summary>Cached, because a report of a large app reads thousands of them.</summary>
    public string Text => field ??= (Line is { } line ? $"{Name} ({line.FileName}:{line.Line})" : Name)
        + (Through is { } through ? $" through {through.ShortName}" : "");

    // The nearest frame beneath the place.
    private FrameInfo? Beneath => Resolved.Beneath ?? call;

    private bool IsCaller =>
        Line is null
            && (Resolved.IsCaller
                || (Frame == onStack && (part == UserPart.Callback || LockStatements.IsTakenByACallee(onStack, LockFrame ?? call))));

    // Two concurrent readers compute the same result.
    private Found Resolved => Volatile.Read(ref _found) ?? Resolve();

    /// <summary>Whether the statement here may have made a call on the stack. If in doubt, it may have.</summary>
    public bool MayCall(FrameInfo below)
    {
        try
        {
            return below.Owner is not (FrameOwner.UserCode or FrameOwner.Library)
                || Resolved is not { Frame.Method: { } method, To: > 0 } at
                || CallSiteIl.Calls(method, at.From, at.To).Any(made =>
                    CallSiteIl.IsNamed(made.Target, below) || InterfaceCalls.MayRun(method, made.Offset, made.Target, below)
                        || made.Target.DeclaringType?.IsSubclassOf(typeof(Delegate)) == true);
        }
        catch (Exception)
        {
            // The code refers to something that is missing.
            return true;
        }
    }

    public WaitKind Refine(WaitKind kind)
    {
        var at = Resolved;
        return at.Frame.Method is { } method
            ? CallSiteIl.Refine(kind, method, at.From, at.To, isGuess: kind == WaitKind.Native && call is null)
            : kind;
    }

    /// <summary>
    /// What to await instead of the application's call that blocks. Null when nothing can be awaited, or when that is unknown. A twin of a
    /// method that a library calls further down is out of the application's reach.
    /// </summary>
    /// <param name="kind">The kind of the wait.</param>
    /// <param name="via">The library method that the place calls in the end.</param>
    public string? FindAwaitable(WaitKind kind, FrameInfo? via)
    {
        try
        {
            return kind == WaitKind.Lock ? null
                : kind is WaitKind.TaskWait or WaitKind.TaskResult or WaitKind.TaskGetResult or WaitKind.ValueTask
                    && WaitsItself ? AwaitableTwins.AwaitIt
                : kind == WaitKind.EfCore ? FindQuery(kind)
                : Twins(Callees(kind), kind, via).FirstOrDefault();
        }
        catch (Exception)
        {
            // The code refers to something that is missing.
            return null;
        }
    }

    private IEnumerable<string> Twins(IEnumerable<MethodBase> callees, WaitKind kind, FrameInfo? via) =>
        callees
            .Select(callee => AwaitableTwins.Find(callee, kind, Beneath?.Method?.DeclaringType, via?.Method?.DeclaringType))
            .OfType<string>();

    // The application can await only its own query, not the command that EF Core makes from it. Without a line, any query of the method may
    // be the one.
    private string? FindQuery(WaitKind kind) =>
        Twins(Callees(kind), kind, via: null).Distinct().ToList() is { Count: > 0 } twins
            && (Resolved.To > Resolved.From || twins.Count == 1)
            ? twins[0]
            : null;

    // The statement's calls that may be the one on the stack. Without a line, the method's calls of that name.
    private IEnumerable<MethodBase> Callees(WaitKind kind)
    {
        var at = Resolved;
        if (at.Frame is not { Owner: FrameOwner.UserCode, Method: { } method })
        {
            return [];
        }

        var hasPlace = at.To > at.From;
        if (!hasPlace && Beneath is null)
        {
            return [];
        }

        var (from, to) = hasPlace ? (at.From, at.To) : (0, int.MaxValue);
        return CallSiteIl.CallsButAwaits(method, from, to).Select(c => c.Target).Where(
            t => Beneath is null || kind == WaitKind.EfCore
                || (hasPlace ? CallSiteIl.Makes(t, Beneath) || CallSiteIl.WaitsAs(t, kind) : CallSiteIl.IsOfName(t, Beneath)));
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
            // Types and files may be missing and images damaged. A place without a line is still useful.
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
            return At(
                onStack,
                new Place(
                    method,
                    Handlers.IsNoPlace(method, ilOffset, isInCatch) ? Unknown : frames is null ? ilOffset : NativePlace(method)));
        }

        var place = PlaceSearch.Find(
            new PlaceQuestion(onStack, method, ilOffset, call, frames)
            {
                Part = part, IsInCatch = isInCatch, Callback = Callback,
            });
        // If the method is on the stack and has only one line, that line makes the call, whatever was inlined into it.
        return place.IsGuess
            ? new Found(onStack, onStack.Owner == FrameOwner.UserCode && part is null ? SourceLines.Only(method) : null, 0, 0)
            {
                IsCaller = place.IsCaller,
            }
            : At(place.Method == method ? onStack : frames.Get(place.Method), place);
    }

    // A native call leaves no frame beneath the method that makes it.
    private int NativePlace(MethodBase method)
    {
        if (ilOffset < 0 || NativeCalls.In(method) is not { Count: > 0 } calls)
        {
            return ilOffset;
        }

        var (from, to) = CallSiteIl.Statement(method, ilOffset);
        return calls.Any(at => at >= from && at <= to) ? ilOffset : calls is [var only] ? only : Unknown;
    }

    private Found At(FrameInfo frame, Place place)
    {
        if (place.IlOffset < 0)
        {
            return new Found(frame, SourceLines.Only(place.Method), 0, 0) { IsCaller = place.IsCaller };
        }

        var (from, to) = CallSiteIl.Statement(place.Method, place.IlOffset);
        return new Found(
            frame,
            IsLockStatement(place.Method, from, to)
                ? SourceLines.Behind(place.Method, place.IlOffset)
                : SourceLines.Find(place.Method, place.LineOffset),
            from, to)
        {
            Beneath = place.Beneath,
            IsCaller = place.IsCaller,
        };
    }

    // The compiler emits no sequence point for a lock statement on System.Threading.Lock. Its call follows the previous statement or the
    // opening brace.
    private bool IsLockStatement(MethodBase method, int from, int to) =>
        call?.Kind == WaitKind.Lock
        && CallSiteIl.Calls(method, from, to)
            .FirstOrDefault(c => c.Target.DeclaringType?.FullName == LockType) is { Target.Name: "EnterScope", Offset: var at }
        && (SourceLines.IsBrace(method, from) || StackedCalls.IsEmptyBetween(method, from, at));

    private sealed record Found(FrameInfo Frame, SourceLine? Line, int From, int To)
    {
        public FrameInfo? Beneath { get; init; }

        public bool IsCaller { get; init; }
    }
}
