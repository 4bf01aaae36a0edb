using System.Globalization;

namespace AsyncProbe.Tests.Truth;

/// <summary>Compares an endpoint's counts and times with the truth.</summary>
internal static class FigureJudge
{
    public static void Try(EndpointTruth truth, ReportedEndpoint row, Score score)
    {
        if (truth.Requests is { } requests)
        {
            score.Check(row.Requests == requests, truth.Endpoint, Aspect.Figure, $"{requests} requests", $"{row.Requests}");
        }

        Compare("held", truth.HeldMs, row.Held.Mean);
        Compare("cpu", truth.CpuMs, row.Cpu.Mean);
        Compare("blocked", truth.BlockedMs, row.Blocked.Mean);
        Compare("after the response", truth.AfterResponseMs, row.AfterResponse.Mean);
        Compare("segments", truth.SegmentsPerRequest, row.SegmentsPerRequest);

        void Compare(string name, Between? expected, double? got)
        {
            if (expected is { } between)
            {
                score.Check(
                    got is { } value && between.Holds(value), truth.Endpoint, Aspect.Figure, $"{name} {between}",
                    got?.ToString("0.###", CultureInfo.InvariantCulture) ?? "null");
            }
        }
    }
}
