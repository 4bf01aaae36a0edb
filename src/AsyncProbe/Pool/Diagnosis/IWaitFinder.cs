using AsyncProbe.Pool.Sampling;

namespace AsyncProbe.Pool.Diagnosis;

/// <summary>Finds out what single segments and endpoints wait for.</summary>
internal interface IWaitFinder
{
    /// <summary>Whether the wait hook looks for call sites, so that it may still find one.</summary>
    bool WillLook => true;

    SegmentWait Find(LiveSegment segment);

    /// <summary>
    /// Whether the segment's thread currently has a core or queues for one. Then it isn't blocked, however long it has run nothing.
    /// </summary>
    bool WantsToRun(LiveSegment segment) => false;

    /// <summary>What helps at the site of <see cref="WorstOf"/> if await doesn't, as a sentence; null if it does.</summary>
    string? RemedyOf(string endpoint, bool isSampled) => null;

    /// <summary>
    /// The place where most of the threads that run neither a request nor an operation were seen by a stack snapshot; null if none was
    /// seen.
    /// </summary>
    string? WorstUnclaimed => null;

    /// <summary>How many of those threads currently have a core or want one; null if unknown.</summary>
    int? CountRunningUnclaimed() => null;

    /// <summary>The call site that has blocked an endpoint longest in total; null if none was seen.</summary>
    /// <param name="isSampled">Only a site that a snapshot saw.</param>
    string? WorstOf(string endpoint, bool isSampled);
}
