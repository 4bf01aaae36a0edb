using AsyncProbe.Common;
using AsyncProbe.Requests;

namespace AsyncProbe.Blocking.Sampling;

/// <summary>A time in which a thread did nothing, within one segment and under one leave: one wait, or a part of it.</summary>
/// <param name="Probe">The request that held the thread.</param>
/// <param name="Permission">The permission that was open.</param>
/// <param name="From">From here on it certainly did nothing.</param>
/// <param name="To">Until here.</param>
/// <param name="Length">For how long in all, give or take the time between two looks.</param>
internal sealed record IdleSpan(RequestProbe Probe, WaitPermission? Permission, Timestamp From, Timestamp To, Duration Length)
{
    /// <summary>Whether a sample fell into it.</summary>
    public bool IsHit { get; set; }
}
