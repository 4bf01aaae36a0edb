using System.Collections.Concurrent;
using System.Reflection;
using System.Runtime.CompilerServices;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.StaticAssets;

namespace AsyncProbe.Requests.Endpoints;

/// <summary>One host's endpoints and what was counted for them: at most <c>MaxEndpoints</c> rows, the rest in one "(other)" row.</summary>
internal sealed class EndpointTable(int maxEndpoints)
{
    private readonly ConcurrentDictionary<string, EndpointTotals> _byName = new(StringComparer.Ordinal);

    // Endpoints are rebuilt when routes change; the weak table lets the old ones go.
    private readonly ConditionalWeakTable<Endpoint, ByMethod> _byEndpoint = [];
    private readonly EndpointTotals _ignored = new("(ignored)", null, "") { IsIgnored = true };
    private readonly Lock _adding = new();
    private EndpointTotals? _overflow;
    private long _overflowed;

    /// <summary>How many endpoints found no row of their own.</summary>
    public long Overflowed => Volatile.Read(ref _overflowed);

    public EndpointTotals Unmatched => field ??= GetOrAdd(EndpointName.Unmatched, null, EndpointName.OtherMethod);

    public EndpointTotals Static => field ??= GetOrAdd(EndpointName.Static, null, "GET");

    /// <summary>The totals of an endpoint under a method. A few nanoseconds after the first time.</summary>
    public EndpointTotals GetOrAdd(Endpoint endpoint, string method)
    {
        _byEndpoint.TryGetValue(endpoint, out var first);
        return Find(first, method)?.Totals ?? OfCanonical(endpoint, EndpointName.MethodOf(method), first);
    }

    /// <summary>Whether the totals are this host's: a process may have several.</summary>
    public bool Owns(EndpointTotals totals) =>
        totals == _overflow || (_byName.TryGetValue(totals.Endpoint, out var mine) && mine == totals);

    /// <param name="pool">The pool since the last interval ended.</param>
    public List<EndpointFigures> Read(PoolInterval pool = default)
    {
        var figures = _byName.Values.Select(totals => totals.Read(pool)).Where(f => !f.IsEmpty).ToList();
        if (_overflow?.Read(pool) is { IsEmpty: false } overflow)
        {
            figures.Add(overflow);
        }

        return figures;
    }

    /// <summary>Notes where all sums stand; for the watcher's thread.</summary>
    public void CloseInterval(PoolInterval pool)
    {
        foreach (var (_, totals) in _byName)
        {
            totals.CloseInterval(pool);
        }

        _overflow?.CloseInterval(pool);
    }

    /// <summary>Over all endpoints, without the cost of reading each; CPU in nanoseconds.</summary>
    public (long Requests, long Cpu) SumRequestsAndCpu()
    {
        var (requests, cpu) = _overflow?.SumRequestsAndCpu() ?? default;
        foreach (var (_, totals) in _byName)
        {
            var (r, c) = totals.SumRequestsAndCpu();
            (requests, cpu) = (requests + r, cpu + c);
        }

        return (requests, cpu);
    }

    public void Reset()
    {
        foreach (var totals in _byName.Values)
        {
            totals.Reset();
        }

        _overflow?.Reset();
        Volatile.Write(ref _overflowed, 0);
    }

    private static ByMethod? Find(ByMethod? entry, string method)
    {
        while (entry is not null && !ReferenceEquals(entry.Method, method) && entry.Method != method)
        {
            entry = entry.Next;
        }

        return entry;
    }

    // The method as the client spelled it is never kept, or it could fill the memory: an endpoint has at most one entry for each method
    // that HTTP defines, and one for all others.
    private EndpointTotals OfCanonical(Endpoint endpoint, string method, ByMethod? first) =>
        Find(first, method)?.Totals ?? Add(endpoint, method);

    private EndpointTotals Add(Endpoint endpoint, string method)
    {
        var totals = Resolve(endpoint, method);
        lock (_adding)
        {
            _byEndpoint.TryGetValue(endpoint, out var first);
            if (Find(first, method) is null)
            {
                _byEndpoint.AddOrUpdate(endpoint, new ByMethod(method, totals, first));
            }
        }

        return totals;
    }

    private EndpointTotals Resolve(Endpoint endpoint, string method)
    {
        if (endpoint.Metadata.GetMetadata<NotCountedMetadata>() is not null)
        {
            return _ignored;
        }

        if (endpoint.Metadata.GetMetadata<StaticAssetDescriptor>() is not null)
        {
            return Static;
        }

        // Routing answers 405 and 415 through endpoints of its own, which have no route.
        if (EndpointName.RouteOf(endpoint) is not { } route)
        {
            return Unmatched;
        }

        var handler = EndpointHandler.Find(endpoint);
        var totals = GetOrAdd($"{method} {route}", route, method, endpoint.Metadata.GetMetadata<AllowBlockingAttribute>()?.Reason, handler);
        totals.Meet(handler);
        return totals;
    }

    private EndpointTotals GetOrAdd(string name, string? route, string method, string? allowReason = null, MethodInfo? handler = null)
    {
        if (_byName.TryGetValue(name, out var known))
        {
            return known;
        }

        lock (_adding)
        {
            if (_byName.TryGetValue(name, out known))
            {
                return known;
            }

            if (_byName.Count >= maxEndpoints)
            {
                Interlocked.Increment(ref _overflowed);
                return _overflow ??= new EndpointTotals(EndpointName.Overflow, null, EndpointName.OtherMethod);
            }

            return _byName[name] = new EndpointTotals(name, route, method) { AllowReason = allowReason, Handler = handler };
        }
    }

    private sealed record ByMethod(string Method, EndpointTotals Totals, ByMethod? Next);
}
