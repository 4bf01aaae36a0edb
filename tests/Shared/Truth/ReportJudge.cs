namespace AsyncProbe.Tests.Truth;

/// <summary>Compares the report's figures with each other.</summary>
internal static class ReportJudge
{
    // Every figure is rounded to a microsecond.
    private const double Rounding = 0.001;

    public static void Try(Reported report, Score score)
    {
        foreach (var row in report.Endpoints)
        {
            Check(row.Held.Total, [row.Cpu.Total, row.CpuWait.Total, row.Gc.Total, row.Blocked.Total], row.Name, score);
            foreach (var (name, times) in new[] { ("held", row.Held), ("cpu", row.Cpu), ("blocked", row.Blocked), ("cpuWait", row.CpuWait),
                ("gc", row.Gc) })
            {
                if (times is { Total: { } total, Mean: { } mean, Max: { } max } && row.Requests > 0)
                {
                    Say(
                        Math.Abs((total / row.Requests) - mean) <= 2 * Rounding, row.Name, $"mean {name} of {total} / {row.Requests}",
                        $"{mean}", score);
                    Say(
                        max <= total + Rounding && mean <= max + Rounding, row.Name, $"{name}: mean ≤ max ≤ total",
                        $"{mean}, {max}, {total}", score);
                }
            }

            Say(row.Explained is null or (>= 0 and <= 1), row.Name, "explained from 0 to 1", $"{row.Explained}", score);
            TrySites(row, [.. report.SitesOf(row.Name)], score);
        }

        foreach (var line in report.Sites.Where(s => s.Line is not null).GroupBy(s => (s.At, s.File, s.Line, s.Allowed))
            .Where(g => g.Count() > 1))
        {
            Say(
                false, string.Join(", ", line.First().Endpoints), "one line, one kind",
                $"{line.First().Text}: {string.Join(", ", line.Select(s => $"{s.Count} × {s.Kind}"))}", score);
        }
    }

    private static void Check(double? held, double?[] parts, string endpoint, Score score)
    {
        if (held is { } whole && parts.All(p => p is not null))
        {
            var sum = parts.Sum(p => p!.Value);
            Say(Math.Abs(whole - sum) <= 3 * Rounding, endpoint, $"held {whole} = cpu + cpuWait + gc + blocked", $"{sum}", score);
        }
    }

    private static void TrySites(ReportedEndpoint row, IReadOnlyList<ReportedSite> sites, Score score)
    {
        // A site of several endpoints doesn't say how much of its time belongs to each.
        var own = sites.Where(s => s.Endpoints.Count == 1).ToList();
        if (own.Count > 0 && row.Held.Total is { } held && row.AfterResponse.Total is { } after)
        {
            var sum = own.Sum(s => s.Blocked.Total ?? 0);
            Say(
                sum <= held + after + ((own.Count + 2) * Rounding), row.Name, $"sites within the {held} + {after} ms held", $"{sum} ms",
                score);
        }

        var during = own.Where(s => !s.IsAfterResponse).ToList();
        if (during.Count > 0 && row.Blocked.Total is { } blocked)
        {
            foreach (var site in during)
            {
                Say(
                    site.Blocked.Total is null || site.Blocked.Total <= blocked + (2 * Rounding), row.Name,
                    $"{site.Text} within the {blocked} ms blocked", $"{site.Blocked.Total} ms", score);
            }

            var measured = during.Sum(s => s.MeasuredMs);
            Say(
                measured <= blocked + ((during.Count + 1) * Rounding), row.Name, $"measured waits within the {blocked} ms blocked",
                $"{measured} ms", score);
        }

        foreach (var site in sites)
        {
            Say(site.Count > 0, row.Name, $"a count at {site.Text}", $"{site.Count}", score);
        }
    }

    private static void Say(bool isRight, string endpoint, string expected, string got, Score score) =>
        score.Check(isRight, endpoint, Aspect.Contradiction, expected, got);
}
