namespace AsyncProbe.Pool;

/// <summary>Asks those who see single waits.</summary>
internal interface IWaitFinder
{
    SegmentWait Of(LiveSegment segment);

    /// <summary>The call site that has blocked an endpoint longest in all; null when none was seen.</summary>
    string? WorstOf(string endpoint);
}
