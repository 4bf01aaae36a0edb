using AsyncProbe.Blocking.Alternatives;
using AsyncProbe.Blocking.Kinds;
using AsyncProbe.Rules;

namespace AsyncProbe.Blocking.Sites;

/// <summary>What to do about a call site. Worked out on demand by readers, because it is too slow for a thread that waited.</summary>
internal sealed class SiteAdvice(BlockingSite site)
{
    private string? _awaitable;
    private bool _isTwinKnown;

    /// <summary>What to do, worded as the end of a sentence.</summary>
    public string Remedy =>
        site.Provider is { } provider ? $"{provider.Name} {provider.Behavior}, so await frees no thread; {provider.Relief}"
        : site.LockOwner is { IsLogger: true } logger
            ? $"the lock is of {logger.Name}; log less here, or let the logger write in the background"
        : site.LockOwner is { } owner ? $"the lock is of {owner.Name}; call it less often, or from fewer threads; async does not help here"
        : site.IsForeignLock ? "a lock of the framework's own; async does not help here"
        : Instead is { } instead ? $"await {instead} instead"
        : Awaitable is null && IsOfTheLibrary && site.At is { WaitsItself: false, Library: { } library }
            ? $"{library} waits here, and has nothing to await; call it less often, or on a thread of your own"
        : site.Kind.Remedy();

    /// <summary>What to write instead of the call; null when nothing more specific than the kind's remedy is known.</summary>
    public string? Instead =>
        Traits.IsInParallelLoop ? "Parallel.ForEachAsync"
        : Traits.IsBlockingCollection ? "ReadAsync or WriteAsync of a Channel"
        : IsInLock && (Awaitable ?? Replacement) is { } inLock
            ? $"{(inLock == AwaitableTwins.AwaitIt ? "it" : inLock)}, and SemaphoreSlim.WaitAsync for the lock"
        : Awaitable is { } twin ? twin == AwaitableTwins.AwaitIt ? null : twin
        : Replacement;

    /// <summary>What limits concurrency here even with await; null when the stack shows nothing of the kind.</summary>
    public string? Limit =>
        Traits.IsBlockingCollection ? "whoever is at the other end of the collection"
        : site.StackKind == WaitKind.SemaphoreSlim ? "the semaphore"
        : IsInLock && site.StackKind != WaitKind.MonitorWait ? "the lock around it"
        : site.IsMostlyOfWriters ? WaitPlace.WriteLock
        : null;

    /// <summary>
    /// What to await instead of the call that blocks. "await" when the call already returns a task. Null when nothing can be awaited, or
    /// when the provider would wait anyway.
    /// </summary>
    public string? Awaitable
    {
        get
        {
            if (site.Provider is not null)
            {
                return null;
            }

            if (!Volatile.Read(ref _isTwinKnown))
            {
                _awaitable = Traits is { IsInParallelLoop: false, IsBlockingCollection: false }
                    ? site.At?.FindAwaitable(site.Kind, site.Via)
                    : null;
                Volatile.Write(ref _isTwinKnown, true);
            }

            return _awaitable;
        }
    }

    /// <summary>The section of docs/blocking.md with details; null when there is none.</summary>
    public string? Help => site.Provider?.Help ?? site.Kind.Help();

    // If the library has no asynchronous form of its method, its caller can't await these kinds of waits in any other way.
    private bool IsOfTheLibrary => site.Kind.Replacement() is not null
        || site.Kind is WaitKind.TaskWait or WaitKind.TaskResult or WaitKind.TaskGetResult or WaitKind.TaskWaitAll or WaitKind.ValueTask;

    private string? Replacement => site.At is { WaitsItself: true } ? site.Kind.Replacement() : null;

    private StackTraits Traits => field ??= StackTraits.From(site.Stack);

    // The compiler doesn't allow await in a lock statement.
    private bool IsInLock => site.StackKind != WaitKind.Lock && site.At?.IsInLock == true;
}
