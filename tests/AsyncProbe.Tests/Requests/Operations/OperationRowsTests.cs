using System.Diagnostics;
using AsyncProbe.Requests.Counts;
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
}

file static class Rows
{
    public static EndpointTotals GetOrAdd(this OperationRows rows, string source, string name)
    {
        using var activitySource = new ActivitySource(source);
        using var listener = new ActivityListener
        {
            ShouldListenTo = candidate => ReferenceEquals(candidate, activitySource),
            Sample = static (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.PropagationData,
        };
        ActivitySource.AddActivityListener(listener);
        using var activity = activitySource.StartActivity(name).ShouldNotBeNull();
        return rows.GetOrAdd(activity);
    }
}
