using System.Collections.Concurrent;
using AsyncProbe.Blocking.Alternatives;
using AsyncProbe.Blocking.Kinds;
using AsyncProbe.Blocking.Methods;
using AsyncProbe.Blocking.Stacks;
using AsyncProbe.Common;
using AsyncProbe.Rules;

namespace AsyncProbe.Blocking.Sites;

/// <summary>A call site and its counts.</summary>
internal sealed class BlockingSite(
    WaitKind kind, SiteFrame? at, FrameInfo? via, IReadOnlyList<SiteFrame> stack, string? allowed)
{
    private const int MaxEndpoints = 100;

    // How long startup is assumed to last.
    private static readonly TimeSpan s_start = TimeSpan.FromSeconds(5);

    private const WaitKind NotLooked = (WaitKind)(-1);

    private readonly ConcurrentDictionary<string, SiteEndpoint> _endpoints = new(StringComparer.Ordinal);
    private readonly ConcurrentDictionary<string, SiteStacks> _stacks = new(StringComparer.Ordinal);

    // Finding it searches the library's instructions, which is too slow for the thread that waited.
    private readonly Lazy<LockOwner?> _lockOwner =
        new(() => kind == WaitKind.Lock ? LockOwner.Find(stack) : null, LazyThreadSafetyMode.PublicationOnly);

    private long _count;
    private Duration _total;
    private Duration _max;
    private long _lastSeen;
    private Duration _shared;
    private int _hits;
    private long _countAsWriter;

    /// <summary>The kind according to the stack.</summary>
    public WaitKind StackKind { get; } = kind;

    /// <summary>The kind, refined from the caller's code on first use. That is too slow for the thread that waited.</summary>
    public WaitKind Kind
    {
        get => field == NotLooked ? field = At?.Refine(StackKind) ?? StackKind : field;
    } = NotLooked;

    /// <summary>Whether this may be a lock that was contended only during startup, which needs no attention.</summary>
    public bool MayBeOneTime => StackKind == WaitKind.Lock && At?.MayBeOneTime == true && LastSeen - FirstSeen < s_start;

    /// <summary>Whether the framework or a library takes the lock, without any application code.</summary>
    public bool IsForeignLock => StackKind == WaitKind.Lock && At is { OnStack.Owner: not FrameOwner.UserCode };

    /// <summary>
    /// Whether to report it. A lock that the framework took only at startup has no line that a user could change. A single short hit of a
    /// window proves nothing: the runtime may have stopped the thread just there. Neither do a few short waits in a provider that mostly
    /// computes: a thread that allocates may sleep for 5 ms when another one begins a collection.
    /// </summary>
    public bool IsShown => !(IsForeignLock && MayBeOneTime) && !IsOneShortHit && !AreFewShortCommands;

    // A snapshot may have hit a wait whose time isn't counted so far.
    private bool IsOneShortHit =>
        Count == 1 && Hits == 1 && Total > Duration.Zero && Total < Evidence.LeastOfOneHit
        && _endpoints.Values.All(row => Counter.Read(ref row.Windowed) == Counter.Read(ref row.Blocked));

    private bool AreFewShortCommands =>
        StackKind == WaitKind.EfCore && Provider is not null && Count < Verdicts.BlockedForAPattern && Max < Evidence.LeastOfOneCommand;

    /// <summary>What to do about it.</summary>
    public SiteAdvice Advice => field ??= new SiteAdvice(this);

    /// <summary>Whether most of the requests that waited here held up all other writers of their database.</summary>
    public bool IsMostlyOfWriters => Volatile.Read(ref _countAsWriter) > Count / 2;

    /// <summary>The library that owns the lock; null when the application owns it, or when this isn't a lock.</summary>
    public LockOwner? LockOwner => _lockOwner.Value;

    /// <summary>The place; null for the row "(other)".</summary>
    public SiteFrame? At { get; } = at;

    public FrameInfo? Via { get; } = via;

    /// <summary>The stack of the first wait.</summary>
    public IReadOnlyList<SiteFrame> Stack { get; } = stack;

    /// <summary>The part of <see cref="Stack"/> that the report carries.</summary>
    public IReadOnlyList<string> ShortStack => field ??= ShortStacks.Create(Stack, At);

    /// <summary>Why the wait is allowed; null when it is not.</summary>
    public string? Allowed { get; } = allowed;

    public bool IsAllowed => Allowed is not null;

    public bool IsLock => StackKind == WaitKind.Lock;

    /// <summary>How many waits stack snapshots saw, counted one by one.</summary>
    public int Hits => Volatile.Read(ref _hits);

    /// <summary>The evidence behind <see cref="Total"/>.</summary>
    public Evidence Evidence => _endpoints.Values.Aggregate(default(Evidence), (sum, row) => sum + row.Evidence);

    /// <summary>
    /// The part of <see cref="Total"/> that was not timed. It is a share of the endpoints' time, in proportion to what windows saw.
    /// </summary>
    public Duration Shared => Counter.Read(ref _shared);

    public DateTime FirstSeen { get; } = DateTime.UtcNow;

    public DateTime LastSeen => new(Volatile.Read(ref _lastSeen), DateTimeKind.Utc);

    public long Count => Volatile.Read(ref _count);

    public Duration Total => Counter.Read(ref _total);

    public Duration Max => Counter.Read(ref _max);

    /// <summary>Whether some of the counts come from stack snapshots, which see only waits in progress.</summary>
    public bool IsFromSnapshot { get; set; }

    /// <summary>The provider that it waits in, if that is synchronous inside, so that await doesn't help. Null otherwise.</summary>
    public SynchronousProvider? Provider { get; set; } = SynchronousProviders.Find(kind, stack.Select(f => f.Frame));

    public IEnumerable<KeyValuePair<string, SiteEndpoint>> Endpoints => _endpoints;

    /// <summary>Type, method, file and line, as far as known.</summary>
    public string Text => At?.Text ?? Kind.Name();

    /// <summary>The same in ASCII, for a header.</summary>
    public string HeaderText => field ??= string.Concat(Text.Select(c => char.IsAscii(c) && !char.IsControl(c) ? c : '?'));

    /// <summary>The facts that the rules need.</summary>
    public WaitPlace ToPlace() => new(Text)
    {
        Instead = Advice.Instead,
        IsAwaitable = Advice.Awaitable is not null,
        Help = Advice.Help,
        Owner = LockOwner?.Name,
        IsLogger = LockOwner is { IsLogger: true },
        Limit = Advice.Limit,
    };

    /// <summary>The stacks of an endpoint's waits here; null when too many endpoints wait here.</summary>
    public SiteStacks? FindOrAddStacks(string endpoint) =>
        _stacks.TryGetValue(endpoint, out var known) ? known
        : _stacks.Count < MaxEndpoints ? _stacks.GetOrAdd(endpoint, _ => new SiteStacks(At))
        : null;

    /// <summary>An endpoint's time here, divided by stack. All of it is at the place itself when stacks were not kept.</summary>
    public IReadOnlyList<(IReadOnlyList<SiteFrame> Frames, Duration Blocked)> StacksOf(string endpoint, SiteEndpoint row) =>
        _stacks.TryGetValue(endpoint, out var stacks)
            ? stacks.Divide(() => Counter.Read(ref row.Blocked))
            : [(At is { } place ? [place] : [], Counter.Read(ref row.Blocked))];

    /// <summary>
    /// The part of an endpoint's time here that is likely to recur. Cold requests wait for locks of the framework or a library that later
    /// ones never meet.
    /// </summary>
    public Duration LastingOf(SiteEndpoint row) => IsForeignLock || IsOneTimeLock(row) ? row.Warm : Counter.Read(ref row.Blocked);

    /// <summary>
    /// Whether hardly any request waited here for a lock inside the runtime's core library, which the application's line only called. A
    /// few waits of cold requests there are not a pattern.
    /// </summary>
    public bool IsOneTimeLock(SiteEndpoint row) =>
        StackKind == WaitKind.Lock && Interlocked.Read(ref row.Count) < Verdicts.BlockedForAPattern
            && !IsForeignLock && LockOwner is { IsRuntime: true };

    public SiteEndpoint? Find(string endpoint) => _endpoints.GetValueOrDefault(endpoint);

    /// <summary>Counts a wait here of a request that held up all other writers of its database.</summary>
    public void NoteWriter() => Interlocked.Increment(ref _countAsWriter);

    /// <summary>Counts a wait that the hook or EF Core timed.</summary>
    /// <param name="duration">How long the thread was blocked.</param>
    /// <param name="endpoint">The endpoint that waited.</param>
    /// <param name="stack">The stack to count it under; null when stacks are not kept.</param>
    /// <param name="isCold">Whether its request is a cold one.</param>
    public void Add(Duration duration, string endpoint, SiteStack? stack = null, bool isCold = false)
    {
        var row = AddToSums(1, duration, duration, endpoint, stack);
        row.AddTimed(duration);
        if (isCold)
        {
            row.Cold.AddTimed(duration);
        }
    }

    /// <summary>Counts a wait that a snapshot saw, or the time it has gone on since then.</summary>
    /// <param name="isNew">Whether the wait has yet to be counted.</param>
    /// <param name="more">The time to add.</param>
    /// <param name="whole">The whole length of the wait so far.</param>
    /// <inheritdoc cref="Add"/>
    public void AddFromSnapshot(
        bool isNew, Duration more, Duration whole, string endpoint, SiteStack? stack = null, bool isCold = false) =>
        AddHits(isNew ? 1 : 0, more, whole, endpoint, stack, isCold);

    /// <summary>Counts a wait that a window saw, perhaps only in part.</summary>
    public void AddFromWindow(Duration seen, string endpoint, SiteStack? stack = null, bool isCold = false) =>
        AddHits(1, seen, seen, endpoint, stack, isCold).AddWindowed(seen);

    /// <summary>
    /// Adds this site's share of the time that an endpoint was blocked outside windows, in proportion to what windows saw.
    /// </summary>
    public void AddShare(Duration blocked, string endpoint)
    {
        Counter.Add(ref _shared, blocked);
        var row = AddToSums(0, blocked, Duration.Zero, endpoint, stack: null);
        row.Add(0, blocked);
        row.AddWindowed(blocked);
    }

    private SiteEndpoint AddHits(int hits, Duration more, Duration whole, string endpoint, SiteStack? stack, bool isCold)
    {
        IsFromSnapshot = true;
        Interlocked.Add(ref _hits, hits);
        var row = AddToSums(hits, more, whole, endpoint, stack);
        row.AddHits(hits, more);
        if (isCold)
        {
            row.Cold.AddHits(hits, more);
        }

        return row;
    }

    private SiteEndpoint AddToSums(int count, Duration more, Duration whole, string endpoint, SiteStack? stack)
    {
        Interlocked.Add(ref _count, count);
        Counter.Add(ref _total, more);
        Counter.Raise(ref _max, whole);
        Volatile.Write(ref _lastSeen, DateTime.UtcNow.Ticks);
        stack?.Add(more);
        if (_endpoints.TryGetValue(endpoint, out var row))
        {
            return row;
        }

        var name = _endpoints.Count < MaxEndpoints ? endpoint : RowNames.MoreEndpoints;
        return _endpoints.GetOrAdd(name, static _ => new SiteEndpoint());
    }
}
