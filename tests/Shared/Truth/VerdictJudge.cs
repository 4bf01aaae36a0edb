namespace AsyncProbe.Tests.Truth;

/// <summary>The verdict against the truth.</summary>
internal static class VerdictJudge
{
    public static void Try(EndpointTruth truth, ReportedEndpoint row, Score score)
    {
        if (truth.Verdict is { } verdict)
        {
            score.Check(verdict.Split('|').Contains(row.Verdict), truth.Endpoint, Aspect.Verdict, verdict, $"{row.Verdict} ({row.Advice})");
        }
    }
}
