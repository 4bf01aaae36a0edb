using System.Collections.Concurrent;
using AsyncProbe.Common;

namespace AsyncProbe.Requests.Endpoints;

/// <summary>Rows by name: at most so many, the rest in one more row.</summary>
/// <param name="most">How many rows have a name of their own.</param>
/// <param name="createOverflow">Makes the row that all others share.</param>
internal class BoundedRows(int most, Func<EndpointTotals> createOverflow)
{
    private readonly ConcurrentDictionary<string, EndpointTotals> _byName = new(StringComparer.Ordinal);
    private readonly Lock _adding = new();
    private EndpointTotals? _overflow;
    private long _overflowed;

    /// <summary>How often a row was asked for that found no place.</summary>
    public long Overflowed => Volatile.Read(ref _overflowed);

    /// <summary>All that have a name of their own.</summary>
    public ICollection<EndpointTotals> All => _byName.Values;

    /// <summary>All rows, whether anything was counted for them or not.</summary>
    public IEnumerable<EndpointTotals> Rows => _overflow is { } overflow ? _byName.Values.Append(overflow) : _byName.Values;

    public EndpointTotals? Find(string name) => _byName.GetValueOrDefault(name);

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
            totals.CloseInterval(pool);
        }

        _overflow?.CloseInterval(pool);
    }

    public (long Requests, Duration Cpu) SumRequestsAndCpu()
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
}
