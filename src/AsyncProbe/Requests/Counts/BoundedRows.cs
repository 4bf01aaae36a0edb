using System.Collections.Concurrent;
using AsyncProbe.Common;

namespace AsyncProbe.Requests.Counts;

/// <summary>Rows by name, up to a limit, plus one row for the rest.</summary>
/// <param name="most">The maximum number of named rows.</param>
/// <param name="names">Whether two names are the same.</param>
/// <param name="createOverflow">Creates the row that the rest share.</param>
internal class BoundedRows(int most, StringComparer names, Func<EndpointTotals> createOverflow)
{
    private readonly ConcurrentDictionary<string, EndpointTotals> _byName = new(names);
    private readonly Lock _adding = new();
    private EndpointTotals? _overflow;
    private long _overflowed;

    /// <summary>
    /// How many names found the table full. A reset does not change that, because it keeps the rows, and what shares one goes on doing so.
    /// </summary>
    public long Overflowed => Volatile.Read(ref _overflowed);

    /// <summary>All named rows.</summary>
    public ICollection<EndpointTotals> All => _byName.Values;

    /// <summary>All rows, even if empty.</summary>
    public IEnumerable<EndpointTotals> Rows => _overflow is { } overflow ? _byName.Values.Append(overflow) : _byName.Values;

    public EndpointTotals? Find(string name) =>
        _byName.GetValueOrDefault(name) ?? (_overflow is { } overflow && overflow.Endpoint == name ? overflow : null);

    public EndpointTotals GetOrAdd(string name, Func<EndpointTotals> create)
    {
        lock (_adding)
        {
            if (_byName.TryGetValue(name, out var known))
            {
                return known;
            }

            if (_byName.Count < most)
            {
                return _byName[name] = create();
            }

            Interlocked.Increment(ref _overflowed);
            return _overflow ??= createOverflow();
        }
    }

    /// <param name="pool">The pool since the last interval ended.</param>
    public List<EndpointFigures> Read(PoolInterval pool)
    {
        var figures = _byName.Values.Select(totals => totals.Read(pool)).Where(f => !f.IsEmpty).ToList();
        if (_overflow?.Read(pool) is { IsEmpty: false } overflow)
        {
            figures.Add(overflow);
        }

        return figures;
    }

    public void CloseInterval(PoolInterval pool)
    {
        foreach (var (_, totals) in _byName)
        {
            totals.Counts.CloseInterval(pool);
        }

        _overflow?.Counts.CloseInterval(pool);
    }

    public (long Requests, Duration Cpu) SumRequestsAndCpu()
    {
        var (requests, cpu) = _overflow?.Counts.SumRequestsAndCpu() ?? default;
        foreach (var (_, totals) in _byName)
        {
            var (r, c) = totals.Counts.SumRequestsAndCpu();
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
    }
}
