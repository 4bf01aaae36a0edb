using System.Diagnostics;
using System.Runtime.CompilerServices;
using AsyncProbe.Blocking.Kinds;
using AsyncProbe.Blocking.Sites;
using AsyncProbe.Common;
using AsyncProbe.Requests.Counts;
using AsyncProbe.Requests.Endpoints;
using AsyncProbe.Requests.Operations;

namespace AsyncProbe.Tests.Requests.Operations;

[Trait("Category", "Logic")]
public sealed class OperationRowsTests
{
    // Many more names than are looked up without hashing, so that each pushes out another.
    [Fact]
    public void Operation_HasTheRowOfItsSourceAndName_HoweverManyThereAre()
    {
        var rows = new OperationRows(5000, new object());
        var names = (from a in "abcdefghij" from b in "klmnopqrst" from c in "uvwxyz" select $"{a} {b} {c}").ToList();
        string[] sources = ["first", "second"];

        for (var round = 0; round < 2; round++)
        {
            foreach (var name in names)
            {
                foreach (var source in sources)
                {
                    rows.GetOrAdd(source, name).Endpoint.ShouldBe($"{source}: {name}");
                }
            }
        }

        rows.All.Count.ShouldBe(names.Count * sources.Length);
    }

    [Fact]
    public void Operation_HasARow_ThoughItsNameIsEmpty() =>
        new OperationRows(10, new object()).GetOrAdd("source", "").Endpoint.ShouldBe("source: {…}");

    // A SignalR client chooses how it spells a method.
    [Fact]
    public void Operation_HasOneRow_InWhateverCaseItsNameIsSpelled()
    {
        var rows = new OperationRows(200, new object());

        foreach (var name in Spellings("Chat/SendAll").Take(300))
        {
            rows.GetOrAdd("source", name).Endpoint.ShouldBe("source: chat/sendall");
        }

        rows.All.Count.ShouldBe(1);
        rows.Overflowed.ShouldBe(0);
    }

    [Fact]
    public void Operation_IsStillRemembered_AfterThousandsOfSpellingsOfAnother()
    {
        var rows = new OperationRows(200, new object());
        foreach (var name in Spellings("Chat/SendToEveryone").Take(2500))
        {
            rows.GetOrAdd("source", name);
        }

        using var work = new Operation("source", "work");
        rows.GetOrAdd(work.Activity);
        rows.GetOrAdd(work.Activity);

        var before = GC.GetAllocatedBytesForCurrentThread();
        rows.GetOrAdd(work.Activity);
        (GC.GetAllocatedBytesForCurrentThread() - before).ShouldBe(0);
    }

    [Fact]
    public void Operation_KeepsItsRow_ButNotItsName_WhenThatIsLong()
    {
        var rows = new OperationRows(200, new object());

        var names = AddLong(rows);

        GC.Collect();
        names.Count(name => name.IsAlive).ShouldBe(0);
        rows.All.Count.ShouldBe(1);
    }

    // Not inlined, so that no name is still in use when it returns.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static List<WeakReference> AddLong(OperationRows rows) =>
        [.. Enumerable.Range(100, 10).Select(i =>
        {
            var name = $"work {new string('1', i * 10)}";
            rows.GetOrAdd("source", name);
            rows.GetOrAdd("source", name);
            return new WeakReference(name);
        })];

    [Fact]
    public void Rest_HasNoCallSitesOfEndpoints_WhenTheirTableIsFullToo()
    {
        var table = new EndpointTable(maxEndpoints: 1, maxOperations: 1);
        using var first = new Operation("source", "first");
        using var second = new Operation("source", "second");
        table.GetOrAddOperation(first.Activity);
        var operations = table.GetOrAddOperation(second.Activity);
        table.Unmatched.Endpoint.ShouldBe("(unmatched)");
        var endpoints = table.Static;

        var site = new BlockingSite(WaitKind.Lock, at: null, via: null, stack: [], allowed: null);
        site.Add(5 * Duration.Millisecond, endpoints.Endpoint);

        EndpointSites.From([site]).Keys.ShouldBe([endpoints.Endpoint]);
        operations.Endpoint.ShouldNotBe(endpoints.Endpoint);
        table.Find(operations.Endpoint).ShouldBe(operations);
        table.Find(endpoints.Endpoint).ShouldBe(endpoints);
    }

    // All of them differ; the first has no capitals.
    private static IEnumerable<string> Spellings(string name) =>
        Enumerable.Range(0, int.MaxValue).Select(bits => string.Concat(
            name.Select((c, i) => (bits >> i & 1) == 0 ? char.ToLowerInvariant(c) : char.ToUpperInvariant(c)))).Distinct();
}

file static class Rows
{
    public static EndpointTotals GetOrAdd(this OperationRows rows, string source, string name)
    {
        using var operation = new Operation(source, name);
        return rows.GetOrAdd(operation.Activity);
    }
}

file sealed class Operation : IDisposable
{
    private readonly ActivitySource _source;
    private readonly ActivityListener _listener;

    public Operation(string source, string name)
    {
        _source = new ActivitySource(source);
        _listener = new ActivityListener
        {
            ShouldListenTo = candidate => ReferenceEquals(candidate, _source),
            Sample = static (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.PropagationData,
        };
        ActivitySource.AddActivityListener(_listener);
        Activity = _source.StartActivity(name).ShouldNotBeNull();
    }

    public Activity Activity { get; }

    public void Dispose()
    {
        Activity.Dispose();
        _listener.Dispose();
        _source.Dispose();
    }
}
