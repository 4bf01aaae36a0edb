namespace AsyncProbe.Rules;

/// <summary>Texts for blocked time whose call site is unknown.</summary>
internal static class WaitsSeenTexts
{
    /// <summary>For blocked time that the wait hook cannot name.</summary>
    public const string Unknown = "location unknown (Thread.Sleep, file I/O or native code)";

    /// <summary>For blocked time before the hook has watched a request that blocked.</summary>
    public const string NotLooked = "location not known yet (the wait hook has watched no request that blocked)";

    /// <summary>For blocked time when detection is off.</summary>
    public const string DetectionIsOff = "location unknown (detection is off)";

    /// <summary>For blocked time when stacks don't name methods.</summary>
    public const string NoMethods = "location unknown (the stacks of this program do not name methods)";

    /// <summary>A sentence that suggests stack snapshots; empty if the app already has them or the platform doesn't support them.</summary>
    public static string Hint(bool hasSnapshots) =>
        hasSnapshots || !OperatingSystem.IsLinux() ? "" : " Add AsyncProbe.StackSnapshots to find it.";
}
