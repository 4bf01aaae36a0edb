using AsyncProbe.Common;

namespace AsyncProbe.Blocking.Sampling;

/// <summary>An endpoint's blocked time, as far as windows divide it among sites.</summary>
/// <param name="Unknown">The time that no site has.</param>
/// <param name="Watched">The time in requests with the hook.</param>
/// <param name="Unwatched">The time in requests without it.</param>
internal readonly record struct BlockedTime(string Endpoint, Duration Unknown, Duration Watched, Duration Unwatched);
