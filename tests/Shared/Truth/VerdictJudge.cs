namespace AsyncProbe.Tests.Truth;

/// <summary>Compares the verdict with the truth.</summary>
internal static class VerdictJudge
{
    private const string Undecided = "notEnoughData";

    public static void Try(EndpointTruth truth, ReportedEndpoint row, Score score)
    {
        // In a crowd the verdict may be unknowable, and saying so is neither right nor wrong.
        if (truth.Verdict is { } verdict && !(row.Verdict == Undecided && row.IsMostlyCpuWait))
        {
            score.Check(verdict.Split('|').Contains(row.Verdict), truth.Endpoint, Aspect.Verdict, verdict, $"{row.Verdict} ({row.Advice})");
        }
    }
}
