namespace AsyncProbe;

/// <summary>A rule of <see cref="AsyncProbeOptions.Allow"/>: waits in these methods are accepted.</summary>
public sealed class AllowRule
{
    /// <summary>
    /// The start of the call site's full name, such as <c>Shop.Legacy.</c> or <c>Shop.Startup.Warm</c>. Required: the default, an empty
    /// text, is not valid.
    /// </summary>
    public string MethodPrefix { get; set; } = "";

    /// <summary>Why blocking is right there; shown in the report. Required: the default, an empty text, is not valid.</summary>
    public string Reason { get; set; } = "";
}
