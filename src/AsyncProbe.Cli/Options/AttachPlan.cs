using AsyncProbe.Cli.Outcomes;
using AsyncProbe.Cli.Processes;
using AsyncProbe.Cli.Sites;
using AsyncProbe.Cli.Thresholds;

namespace AsyncProbe.Cli.Options;

/// <summary>What was typed for <c>attach</c> or <c>start</c>.</summary>
internal sealed record AttachPlan(
    ReportTarget Target, IReadOnlyList<Threshold> Thresholds, Baseline? Baseline, int? Seconds, AttachSettings Settings);
