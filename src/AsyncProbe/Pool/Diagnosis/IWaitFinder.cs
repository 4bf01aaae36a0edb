using AsyncProbe.Pool.Sampling;

namespace AsyncProbe.Pool.Diagnosis;

/// <summary>Asks those who see single waits.</summary>
internal interface IWaitFinder
{
    SegmentWait Find(LiveSegment segment);

    /// <summary>
    /// Whether the segment's thread has a core or queues for one at this moment: then it is not blocked, however long it has run nothing.
    /// </summary>
    bool WantsToRun(LiveSegment segment) => false;

    /// <summary>What helps at the site of <see cref="WorstOf"/> where await does not, as a sentence; null where it does.</summary>
    string? RemedyOf(string endpoint, bool isSampled) => null;

    /// <summary>
    /// Where most of the threads were that run neither a request nor an operation, as a stack snapshot saw them; null when none did.
    /// </summary>
    string? WorstUnclaimed => null;

    /// <summary>How many of those threads have a core or want one at this moment; null where nobody can tell.</summary>
    int? CountRunningUnclaimed() => null;

    /// <summary>The call site that has blocked an endpoint longest in all; null when none was seen.</summary>
    /// <param name="endpoint">The endpoint.</param>
    /// <param name="isSampled">Only a site that a snapshot has seen.</param>
    string? WorstOf(string endpoint, bool isSampled);
}
