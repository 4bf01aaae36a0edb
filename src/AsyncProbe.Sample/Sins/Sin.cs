namespace AsyncProbe.Sample.Sins;

/// <summary>One way to block a pool thread, or one that only looks like it.</summary>
/// <param name="Route">Where it is.</param>
/// <param name="Does">What it does, in code or in words.</param>
/// <param name="Kind">The kind that the report should give it; null where none is expected.</param>
/// <param name="SeenBy"><c>hook</c>: named by the wait hook. <c>clock</c>: counted by the thread clock. <c>ef</c>: named by EF Core's
/// events. <c>watcher</c>: shown while it lasts.
/// <c>allowed</c>: counted under its reason. Null: nothing is there to see.</param>
/// <param name="IsReported">Whether AsyncProbe should report it.</param>
/// <param name="Needs">What a caller has to bring; null when a plain GET does. Such a route is not in "all".</param>
internal sealed record Sin(string Route, string Does, string? Kind, string? SeenBy, bool IsReported, string? Needs)
{
    /// <summary>Whether a run over all sins calls it.</summary>
    public bool IsInAll => Needs is null;
}
