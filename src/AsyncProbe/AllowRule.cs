namespace AsyncProbe;

/// <summary>A wait that is meant to be: a rule of <see cref="AsyncProbeOptions.Allow"/>.</summary>
public sealed class AllowRule
{
    /// <summary>The beginning of the call site's full name, such as <c>Shop.Legacy.</c> or <c>Shop.Startup.Warm</c>. Required.</summary>
    public string MethodPrefix { get; set; } = "";

    /// <summary>Why this wait is right; shown in the report. Required.</summary>
    public string Reason { get; set; } = "";
}
