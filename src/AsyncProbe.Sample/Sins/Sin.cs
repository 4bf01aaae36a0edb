namespace AsyncProbe.Sample.Sins;

/// <summary>One way to block a pool thread, or one that only looks like it.</summary>
/// <param name="Route">Its route.</param>
/// <param name="Does">What it does, in code or in words.</param>
/// <param name="Kind">The kind that the report should show; null if none is expected.</param>
/// <param name="SeenBy"><c>hook</c>: the wait hook names it. <c>clock</c>: the thread clock counts it. <c>ef</c>: EF Core's events name it.
/// <c>watcher</c>: shown while it lasts.
/// <c>allowed</c>: counted under its reason. Null: it is not detected.</param>
/// <param name="IsReported">Whether AsyncProbe should report it.</param>
/// <param name="Needs">What a caller must provide; null if a plain GET is enough. A route with needs is not in "all".</param>
internal sealed record Sin(string Route, string Does, string? Kind, string? SeenBy, bool IsReported, string? Needs)
{
    /// <summary>Whether a run over all sins includes it.</summary>
    public bool IsInAll => Needs is null;
}
