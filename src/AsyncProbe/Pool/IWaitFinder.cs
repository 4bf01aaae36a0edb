namespace AsyncProbe.Pool;

/// <summary>Asks those who see single waits.</summary>
internal interface IWaitFinder
{
    SegmentWait Of(LiveSegment segment);

    /// <summary>The call site that has blocked an endpoint longest in all; null when none was seen.</summary>
    /// <param name="endpoint">The endpoint.</param>
    /// <param name="isSampled">Only a site that a snapshot has seen.</param>
    string? WorstOf(string endpoint, bool isSampled);
}
