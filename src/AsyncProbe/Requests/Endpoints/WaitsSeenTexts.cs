namespace AsyncProbe.Requests.Endpoints;

/// <summary>What is said where no call site can be named.</summary>
internal static class WaitsSeenTexts
{
    /// <summary>Of blocked time that the wait hook cannot name.</summary>
    public const string NoManagedWait = "no managed wait seen: Thread.Sleep, file I/O or native code";

    /// <summary>Of blocked time that no watched request has shown yet.</summary>
    public const string NotLooked = "not looked yet: the wait hook watches its next requests";

    /// <summary>Of blocked time when no request is ever watched.</summary>
    public const string DetectionIsOff = "nobody looks, because detection is off";
}
