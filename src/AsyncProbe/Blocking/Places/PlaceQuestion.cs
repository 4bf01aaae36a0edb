using System.Reflection;
using AsyncProbe.Blocking.Code;
using AsyncProbe.Blocking.Methods;

namespace AsyncProbe.Blocking.Places;

/// <summary>What a stack says about a wait: a method, the reported place in it, and the frame beneath.</summary>
/// <param name="onStack">The frame on the stack.</param>
/// <param name="ilOffset">The reported place; negative when there is none.</param>
/// <param name="call">The nearest frame beneath.</param>
/// <param name="frames">Describes methods and lists the application's.</param>
internal sealed class PlaceQuestion(FrameInfo onStack, MethodBase method, int ilOffset, FrameInfo call, Frames frames)
{
    private List<Place>? _statementCalls;

    public MethodBase Method => method;

    public int IlOffset => ilOffset;

    public FrameInfo Call => call;

    public Frames Frames => frames;

    public LibraryCallbacks LibraryCallbacks => field ??= new(frames.UserMethods);

    /// <summary>
    /// The wait that may be that of application code which a library called; null when it isn't beneath a library.
    /// </summary>
    public InlinedCallback? Callback { get; init; }

    /// <summary>The kind of application code that was inlined. Set when the method is only the best guess.</summary>
    public UserPart? Part { get; init; }

    /// <summary>Whether the thread is handling an exception; null when unknown.</summary>
    public bool? IsInCatch { get; init; }

    /// <summary>
    /// Whether the search may choose another place than the reported one: the stack shows an application method, and a place in it.
    /// </summary>
    public bool IsOwnPlace => ilOffset >= 0 && onStack.Owner == FrameOwner.UserCode;

    /// <summary>The statement at the reported place; the whole method when there is none.</summary>
    public (int From, int To) Statement { get; } = ilOffset < 0 ? (0, int.MaxValue) : CallSiteIl.Statement(method, ilOffset);

    public NearbyCalls Nearby { get; } = new(call, frames);

    /// <summary>The calls that the statement makes or leads to and that may be the one on the stack.</summary>
    public IReadOnlyList<Place> StatementCalls =>
        _statementCalls ??= onStack.Owner == FrameOwner.UserCode ? CallsIn(method, Statement.From, Statement.To) : [];

    /// <summary>The same for a part of any method.</summary>
    public List<Place> CallsIn(MethodBase caller, int from, int to) => CallsIn(caller, from, to, call);

    /// <summary>The same for another call.</summary>
    public List<Place> CallsIn(MethodBase caller, int from, int to, FrameInfo other) =>
        [
            .. CallPaths.Find(caller, from, to, other, frames.UserMethods.IsUserCode, frames.UserMethods.Overrides)
                .Select(p => new Place(p.Method, p.IlOffset)),
        ];
}
