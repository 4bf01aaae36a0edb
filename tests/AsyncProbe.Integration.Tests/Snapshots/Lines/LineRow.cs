using AsyncProbe.Integration.Tests.Snapshots.ShortWaits;
using AsyncProbe.Tests.Blocking.Catalogue;
using Microsoft.AspNetCore.Http;

namespace AsyncProbe.Integration.Tests.Snapshots.Lines;

/// <param name="Code">The blocking code, as a developer writes it.</param>
/// <param name="Path">A part of the paths of its endpoints.</param>
/// <param name="Marks">The marks of its lines: some rows block more than one thread.</param>
/// <param name="Sin">Runs the blocking code.</param>
internal sealed record LineRow(string Code, string Path, string[] Marks, Action<HttpContext> Sin)
{
    /// <summary>Whether the wait hook sees all of it. If not, sampling windows do, and need some time.</summary>
    public bool IsHooked { get; private init; }

    /// <summary>Whether it needs a client that sends the request's body slowly.</summary>
    public bool NeedsSlowBody { get; private init; }

    /// <summary>Whether only one request may be in flight: these rows all register the waiting thread in the same place.</summary>
    public bool IsOneAtATime => Sin.Method.DeclaringType == typeof(OutsideSins);

    public static IReadOnlyList<LineRow> All(ShortSins sins) =>
    [
        .. CatalogueRow.All.Select(row => new LineRow(row.Code, row.Method, MarksOf(row), row.Sin)
        {
            IsHooked = row.Kind is not null && row.Method != nameof(TaskSins.ParallelFor),
            NeedsSlowBody = row.NeedsSlowBody,
        }),
        .. new[] { 5, 20, 100 }.Select(ms => Unseen($"Thread.Sleep({ms})", $"Nap{ms}", nameof(ShortSins.Nap), () => ShortSins.Nap(ms))),
        Unseen("usleep, 10 ms", nameof(ShortSins.NativeNap), nameof(ShortSins.NativeNap), ShortSins.NativeNap),
        Unseen("a read of a paused pipe", nameof(sins.ReadPipe), nameof(sins.ReadPipe), sins.ReadPipe),
        .. sins.HasSlowFile
            ? [Unseen("a read of a slow file (FUSE)", nameof(sins.ReadSlowFile), nameof(sins.ReadSlowFile), sins.ReadSlowFile)]
            : Array.Empty<LineRow>(),
        Unseen(
            "SQLite under a write lock", nameof(sins.WriteToLockedDatabase), nameof(sins.WriteToLockedDatabase),
            sins.WriteToLockedDatabase),
    ];

    private static LineRow Unseen(string code, string path, string mark, Action sin) => new(code, path, [$"ShortSins.{mark}"], _ => sin());

    // While the caller waits for its last worker, the worker sleeps.
    private static string[] MarksOf(CatalogueRow row) =>
        row.Method == nameof(TaskSins.ParallelFor) ? [row.At, $"TaskSins.{TaskSins.ParallelForWorker}"] : [row.At];
}
