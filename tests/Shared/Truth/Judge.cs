namespace AsyncProbe.Tests.Truth;

/// <summary>Compares what AsyncProbe said with the truth, and with everything else it said.</summary>
internal static class Judge
{
    /// <param name="truths">Every endpoint of the application that received requests.</param>
    /// <param name="evidence">Everything that AsyncProbe said.</param>
    public static Score Try(IReadOnlyCollection<EndpointTruth> truths, Evidence evidence)
    {
        var score = new Score();
        var report = new Reported(evidence.Report);
        foreach (var truth in truths)
        {
            var row = report.Find(truth.Endpoint);
            if (!score.Check(row is not null, truth.Endpoint, Aspect.Figure, "a row in the report", "none") || row is null)
            {
                continue;
            }

            FigureJudge.Try(truth, row, score);
            VerdictJudge.Try(truth, row, score);
            SiteJudge.Try(truth, [.. report.SitesOf(truth.Endpoint)], evidence.Setting, score);
        }

        foreach (var site in report.Sites)
        {
            // Endpoints without a truth, such as the health check, must have no sites either.
            score.Check(
                site.Endpoints.Any(e => truths.Any(t => t.Endpoint == e)), string.Join(", ", site.Endpoints), Aspect.FalseAlarm, "no site",
                $"{site.Text} [{site.Kind}]");
        }

        ReportJudge.Try(report, score);
        AdviceJudge.Try(report, score);
        HeaderJudge.Try(truths, report, evidence, score);
        LogJudge.Try(truths, report, evidence, score);
        CliReportJudge.Try(report, evidence, score);
        if (evidence.CliRun is { } run)
        {
            CliRunJudge.Try(report, run, score);
        }

        score.Note(endpoint => truths.FirstOrDefault(t => t.Endpoint == endpoint)?.Note);
        return score;
    }
}
