namespace AsyncProbe.Rules;

/// <summary>What is said where no call site can be named.</summary>
internal static class WaitsSeenTexts
{
    /// <summary>Of blocked time that the wait hook cannot name.</summary>
    public const string Unknown = "location unknown (Thread.Sleep, file I/O or native code)";

    /// <summary>Of blocked time that no watched request has shown yet.</summary>
    public const string NotLooked = "location not known yet (the wait hook watches its next requests)";

    /// <summary>Of blocked time when no request is ever watched.</summary>
    public const string DetectionIsOff = "location unknown (detection is off)";

    /// <summary>Of blocked time where stacks name no methods.</summary>
    public const string NoMethods = "location unknown (the stacks of this program do not name methods)";

    /// <summary>What finds it, as a sentence; nothing where that is there already, or cannot be.</summary>
    public static string Hint(bool hasSnapshots) =>
        hasSnapshots || !OperatingSystem.IsLinux() ? "" : " Add AsyncProbe.StackSnapshots to find it.";
}
