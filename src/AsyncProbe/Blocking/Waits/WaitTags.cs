namespace AsyncProbe.Blocking.Waits;

/// <summary>The tag names for a wait in metrics and span events.</summary>
internal static class WaitTags
{
    public const string Kind = "asyncprobe.kind";

    /// <summary>In seconds, like the metrics.</summary>
    public const string Duration = "asyncprobe.duration";

    /// <summary>OpenTelemetry's name for type and method with their namespace.</summary>
    public const string Method = "code.function.name";
}
