namespace AsyncProbe.Blocking.Sites;

/// <summary>The names under which metrics and span events tell of a wait.</summary>
internal static class WaitTags
{
    public const string Kind = "asyncprobe.kind";

    /// <summary>In seconds, as the metrics are.</summary>
    public const string Duration = "asyncprobe.duration";

    /// <summary>OpenTelemetry's name for type and method with their namespace.</summary>
    public const string Method = "code.function.name";
}
