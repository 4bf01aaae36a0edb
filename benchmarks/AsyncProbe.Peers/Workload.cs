namespace AsyncProbe.Peers;

/// <summary>One endpoint of the application, and how the table names it.</summary>
internal sealed record Workload(string Path, string Title)
{
    public static IReadOnlyList<Workload> All { get; } =
    [
        new("/empty", "a trivial endpoint"),
        new("/yields", "ten awaits of `Task.Yield`"),
        new("/compute", "200 µs of computing"),
        new("/query", $"an EF Core query on {WorkerDatabase.Product}"),
        new("/query-async", "the same with `await`"),
    ];
}
