using AsyncProbe.Common;
using AsyncProbe.Requests;

namespace AsyncProbe.Blocking.Sampling;

/// <summary>A period in which a thread was idle, within one segment and under one permission: one wait, or a part of it.</summary>
/// <param name="Probe">The request that held the thread.</param>
/// <param name="Permission">The permission that was open.</param>
/// <param name="From">The time from which the thread was certainly idle.</param>
/// <param name="To">The time until which it was certainly idle.</param>
/// <param name="Length">The length of the whole period, accurate to the time between two checks.</param>
internal sealed record IdleSpan(RequestProbe Probe, WaitPermission? Permission, Timestamp From, Timestamp To, Duration Length)
{
    /// <summary>Whether a sample was taken during it.</summary>
    public bool IsHit { get; set; }
}
