using AsyncProbe.Blocking.Sites;
using AsyncProbe.Common;
using AsyncProbe.Requests.Counts;

namespace AsyncProbe.Blocking.Sampling;

/// <summary>A wait that a window saw.</summary>
/// <param name="Totals">The endpoint that waited.</param>
/// <param name="Site">The site of the wait; null when nothing on the stack waits, so that the time has no place.</param>
/// <param name="Length">How long it lasted, as far as the window saw it.</param>
/// <param name="IsTimed">Whether the hook or a snapshot times it and counts it for the site.</param>
internal readonly record struct WindowHit(EndpointTotals Totals, BlockingSite? Site, Duration Length, bool IsTimed = false)
{
    /// <summary>The stack to count it under; null when stacks are not kept.</summary>
    public SiteStack? Stack { get; init; }

    /// <summary>Whether its request is a cold one.</summary>
    public bool IsCold { get; init; }
}
