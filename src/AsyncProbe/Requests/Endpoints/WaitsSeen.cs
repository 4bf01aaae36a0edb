namespace AsyncProbe.Requests.Endpoints;

/// <summary>
/// Whether anybody has looked at the waits of an endpoint, or of a thread that is held now, and what was seen. An endpoint answers with
/// <see cref="EndpointTotals.WaitsSeen"/>, a live segment with <c>SegmentWait.Seen</c>.
/// </summary>
internal enum WaitsSeen
{
    /// <summary>Nobody has: no request that blocked carried the wait hook. Nothing may be said about where it waits.</summary>
    NotLooked,

    /// <summary>A place was found that accounts for it.</summary>
    Found,

    /// <summary>The hook watched and saw next to nothing: Thread.Sleep, file I/O or native code.</summary>
    NothingFound,
}
