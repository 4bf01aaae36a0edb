using System.Diagnostics;
using System.Reflection;
using System.Runtime.CompilerServices;
using AsyncProbe.Common;
using AsyncProbe.Requests.Counts;
using AsyncProbe.Requests.Operations;
using Microsoft.AspNetCore.Http;

namespace AsyncProbe.Requests.Endpoints;

/// <summary>
/// The endpoints and operations of one host, with their counts: at most <c>MaxEndpoints</c> and <c>MaxOperations</c> rows, with one row
/// each for the rest. An operation is a row like an endpoint, so whatever works for one works for the other.
/// </summary>
internal sealed class EndpointTable
{
    // What the weak table's values point to must not point back to the table, or both would stay for as long as the endpoints do.
    private readonly object _identity = new();
    private readonly BoundedRows _endpoints;
    private readonly OperationRows _operations;

    // Endpoints are rebuilt when routes change; the weak table releases the old ones.
    private readonly ConditionalWeakTable<Endpoint, ByMethod> _byEndpoint = [];
    private readonly EndpointTotals _ignored = new("(ignored)", null, "") { IsIgnored = true };
    private readonly Lock _adding = new();

    public EndpointTable(int maxEndpoints, int maxOperations)
    {
        _endpoints = new BoundedRows(
            maxEndpoints,
            StringComparer.Ordinal,
            () => new EndpointTotals(RowNames.Other, RowNames.Other, RowNames.OtherMethod) { TableIdentity = _identity });
        _operations = new OperationRows(maxOperations, _identity);
    }

    /// <summary>How many times an endpoint didn't get a row.</summary>
    public long Overflowed => _endpoints.Overflowed;

    /// <summary>The same for operations.</summary>
    public long OverflowedOperations => _operations.Overflowed;

    public EndpointTotals Unmatched => field ??= GetOrAdd(RowNames.Unmatched, null, RowNames.OtherMethod);

    public EndpointTotals Static => field ??= GetOrAdd(RowNames.Static, null, "GET");

    /// <summary>The totals of an endpoint under a method. Takes a few nanoseconds after the first call.</summary>
    public EndpointTotals GetOrAdd(Endpoint endpoint, string method)
    {
        _byEndpoint.TryGetValue(endpoint, out var first);
        return Find(first, method)?.Totals ?? OfCanonical(endpoint, EndpointName.MethodOf(method), first);
    }

    public EndpointTotals GetOrAddOperation(Activity activity) => _operations.GetOrAdd(activity);

    /// <summary>Whether the totals belong to this host: a process may have several.</summary>
    public bool Owns(EndpointTotals totals) => totals.TableIdentity == _identity;

    /// <summary>All endpoints and operations that have a row of their own.</summary>
    public IEnumerable<EndpointTotals> All => _endpoints.All.Concat(_operations.All);

    /// <summary>All rows of endpoints and operations, even if empty.</summary>
    public IEnumerable<EndpointTotals> Rows => _endpoints.Rows.Concat(_operations.Rows);

    /// <summary>The row with that name; null if there is none.</summary>
    public EndpointTotals? Find(string name) => _endpoints.Find(name) ?? _operations.Find(name);

    /// <param name="pool">The pool since the last interval ended.</param>
    public List<EndpointFigures> Read(PoolInterval pool = default) => _endpoints.Read(pool);

    /// <param name="pool">The pool since the last interval ended.</param>
    public List<EndpointFigures> ReadOperations(PoolInterval pool = default) => _operations.Read(pool);

    /// <summary>Records all sums at the end of an interval; for the watcher's thread.</summary>
    public void CloseInterval(PoolInterval pool)
    {
        _endpoints.CloseInterval(pool);
        _operations.CloseInterval(pool);
    }

    /// <summary>The requests of all endpoints and the CPU time of all segments, without reading every row in full.</summary>
    public (long Requests, Duration Cpu) SumRequestsAndCpu()
    {
        var (requests, cpu) = _endpoints.SumRequestsAndCpu();
        return (requests, cpu + _operations.SumRequestsAndCpu().Cpu);
    }

    public void Reset()
    {
        _endpoints.Reset();
        _operations.Reset();
    }

    private static ByMethod? Find(ByMethod? entry, string method)
    {
        while (entry is not null && !ReferenceEquals(entry.Method, method) && entry.Method != method)
        {
            entry = entry.Next;
        }

        return entry;
    }

    // Never keep the method as the client spelled it, or clients could fill the memory. An endpoint has at most one entry for each method
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

        if (StaticAsset.IsServedBy(endpoint))
        {
            return Static;
        }

        // Routing answers 405 and 415 through its own endpoints, which have no route.
        if (EndpointName.RouteOf(endpoint) is not { } route)
        {
            return Unmatched;
        }

        var handler = EndpointHandler.Find(endpoint);
        var totals = GetOrAdd($"{method} {route}", route, method, endpoint.Metadata.GetMetadata<AllowBlockingAttribute>()?.Reason, handler);
        totals.UpdateHandler(handler);
        return totals;
    }

    private EndpointTotals GetOrAdd(string name, string? route, string method, string? allowReason = null, MethodInfo? handler = null) =>
        _endpoints.Find(name) ?? _endpoints.GetOrAdd(
            name,
            () => new EndpointTotals(name, route, method) { AllowReason = allowReason, Handler = handler, TableIdentity = _identity });

    private sealed record ByMethod(string Method, EndpointTotals Totals, ByMethod? Next);
}
