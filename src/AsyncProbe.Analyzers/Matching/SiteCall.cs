using AsyncProbe.Analyzers.Reports;
using AsyncProbe.Blocking.Kinds;
using Microsoft.CodeAnalysis;

namespace AsyncProbe.Analyzers.Matching;

/// <summary>Decides which calls may be the call in which a site waited.</summary>
/// <param name="site">The site, from the report.</param>
internal sealed class SiteCall(ReportedSite site)
{
    private const string Suffix = "Async";

    // The methods that block for each kind of wait, and the types that declare them.
    private static readonly Dictionary<WaitKind, (string[] Names, string[] Types)> s_known = new()
    {
        [WaitKind.TaskWait] = (["Wait", "ToBlockingEnumerable", "For", "ForEach", "Invoke", "Result", "GetResult"],
            ["Task", "TaskAsyncEnumerableExtensions", "AsyncEnumerable", "Parallel", "ValueTask"]),
        [WaitKind.TaskResult] = (["Result"], ["Task", "ValueTask"]),
        [WaitKind.TaskGetResult] = (["GetResult"],
            ["TaskAwaiter", "ConfiguredTaskAwaiter", "ValueTaskAwaiter", "ConfiguredValueTaskAwaiter"]),
        [WaitKind.ValueTask] = (["Result", "GetResult", "Wait"],
            ["Task", "ValueTask", "TaskAwaiter", "ConfiguredTaskAwaiter", "ValueTaskAwaiter", "ConfiguredValueTaskAwaiter"]),
        [WaitKind.TaskWaitAll] = (["WaitAll", "WaitAny"], ["Task"]),
        [WaitKind.SemaphoreSlim] = (["Wait"], ["SemaphoreSlim"]),
        [WaitKind.WaitHandle] = (["WaitOne", "WaitAll", "WaitAny", "SignalAndWait", "Wait", "Take", "TryTake", "Add", "TryAdd"],
            ["WaitHandle", "ManualResetEventSlim", "CountdownEvent", "Barrier", "BlockingCollection"]),
        [WaitKind.Lock] = ([Calls.Lock, "Enter", "TryEnter", "EnterScope", "EnterReadLock", "EnterWriteLock", "EnterUpgradeableReadLock",
            "TryEnterReadLock", "TryEnterWriteLock", "AcquireReaderLock", "AcquireWriterLock", "Value"],
            ["Monitor", "Lock", "ReaderWriterLockSlim", "ReaderWriterLock", "Lazy"]),
        [WaitKind.MonitorWait] = (["Wait"], ["Monitor"]),
        [WaitKind.Join] = (["Join"], ["Thread"]),
        [WaitKind.Sleep] = (["Sleep"], ["Thread"]),
        [WaitKind.Process] = (["WaitForExit"], ["Process"]),
    };

    private readonly (string[] Names, string[] Types) _expected = Expect(site);

    /// <summary>
    /// Whether the report says which call it was. Otherwise a library may have waited inside any call, and only the line shows which. For
    /// all other calls of these two kinds, the report names the awaitable counterpart.
    /// </summary>
    public bool IsNamed { get; } = site.Awaitable is not null || site.Kind is WaitKind.Join or WaitKind.MonitorWait;

    public bool Matches(Call call, SemanticModel model, CancellationToken cancellationToken)
    {
        if (Array.IndexOf(_expected.Names, call.Name) < 0)
        {
            return false;
        }

        // Check the type, because many types use these names for something else, such as string.Join or an option's Value.
        return _expected.Types.Length == 0 || call.Name == Calls.Lock
            || model.GetSymbolInfo(call.Node, cancellationToken).Symbol is not { ContainingType: { } type } || IsOf(type);
    }

    private bool IsOf(INamedTypeSymbol type)
    {
        for (var of = type; of is not null; of = of.BaseType)
        {
            if (Array.IndexOf(_expected.Types, of.Name) >= 0)
            {
                return true;
            }
        }

        return false;
    }

    private static (string[] Names, string[] Types) Expect(ReportedSite site)
    {
        switch (site.Awaitable)
        {
            case "Task.Delay":
                return (["Sleep"], ["Thread"]);
            case "Task.WhenAll":
                return (["WaitAll"], ["Task"]);
            case "Task.WhenAny":
                return (["WaitAny"], ["Task"]);
            case "MoveNextAsync":
                return (["MoveNext", Calls.ForEach], []);
            case "DisposeAsync":
                return (["Dispose", Calls.Using], []);
            case { } twin when twin.Length > Suffix.Length && twin.EndsWith(Suffix, StringComparison.Ordinal):
                return ([twin.Substring(0, twin.Length - Suffix.Length)], []);
            case null or "await" when s_known.TryGetValue(site.Kind, out var known):
                return known;
            default:
                var via = site.Via;
                return ([via is null ? "" : via.Substring(via.LastIndexOf('.') + 1)], []);
        }
    }
}
