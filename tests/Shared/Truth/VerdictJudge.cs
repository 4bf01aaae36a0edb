namespace AsyncProbe.Tests.Truth;

/// <summary>The verdict against the truth.</summary>
internal static class VerdictJudge
{
    public static void Try(EndpointTruth truth, ReportedEndpoint row, Score score)
    {
        if (truth.Verdict is { } verdict)
        {
            score.Check(row.Verdict == verdict || row.Verdict == truth.OrVerdict, truth.Endpoint, Aspect.Verdict, truth.OrVerdict is null ? verdict : $"{verdict} or {truth.OrVerdict}", $"{row.Verdict} ({row.Advice})");
        }
    }
}
