using System.Collections.Concurrent;

namespace AsyncProbe.Sample.Tests.Caching;

/// <summary>Counts the calls that reach a method.</summary>
public sealed class Reached
{
    private readonly ConcurrentDictionary<string, int> _counts = new();

    public int Count(string method) => _counts.AddOrUpdate(method, 1, (_, count) => count + 1);
}
