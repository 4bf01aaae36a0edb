using System.Globalization;
using System.Text.RegularExpressions;

namespace AsyncProbe.Tests.Truth;

/// <summary>Compares the headers of responses with the truth, the report and each other.</summary>
internal static partial class HeaderJudge
{
    // One decimal place: each figure may be off by half of that.
    private const double Rounding = 0.051;

    public static void Try(IReadOnlyCollection<EndpointTruth> truths, Reported report, Evidence evidence, Score score)
    {
        foreach (var answer in evidence.Answers)
        {
            var truth = truths.FirstOrDefault(t => t.Endpoint == answer.Endpoint);
            TryFigures(answer, report.Find(answer.Endpoint), score);
            if (answer.Headers.TryGetValue("X-AsyncProbe-Blocked-At", out var at))
            {
                score.Check(evidence.Setting.IsDevelopment, answer.Endpoint, Aspect.Contradiction, "no place outside Development", at);
                TryPlace(answer, at, truth, report, score);
            }
        }
    }

    private static void TryPlace(AnsweredRequest answer, string at, EndpointTruth? truth, Reported report, Score score)
    {
        var sites = report.SitesOf(answer.Endpoint).ToList();
        score.Check(
            sites.Any(s => s.Text == at), answer.Endpoint, Aspect.Contradiction,
            $"a header with one of the report's places: {string.Join(" or ", sites.Select(s => s.Text))}", at);
        if (truth is not null)
        {
            SiteJudge.TryText(truth, at, "in the header", score);
        }
    }

    private static void TryFigures(AnsweredRequest answer, ReportedEndpoint? row, Score score)
    {
        var (held, cpu, blocked) = (Figure("X-AsyncProbe-Held-Ms"), Figure("X-AsyncProbe-Cpu-Ms"), Figure("X-AsyncProbe-Blocked-Ms"));
        if (held is { } h && cpu is { } c && blocked is { } b)
        {
            score.Check(
                c + b <= h + (3 * Rounding), answer.Endpoint, Aspect.Contradiction, $"cpu and blocked within {h} ms held",
                $"{c} and {b} ms");
            if (row?.Held.Max is { } max)
            {
                score.Check(
                    h <= max + Rounding, answer.Endpoint, Aspect.Contradiction, $"a header within the report's {max} ms", $"{h} ms");
            }

            foreach (Match part in Timing().Matches(answer.Headers.GetValueOrDefault("Server-Timing", "")))
            {
                var expected = part.Groups[1].Value switch { "held" => h, "cpu" => c, _ => b };
                score.Check(
                    part.Groups[2].Value == expected.ToString("0.0", CultureInfo.InvariantCulture), answer.Endpoint, Aspect.Contradiction,
                    $"Server-Timing {part.Groups[1].Value} {expected}", part.Value);
            }
        }

        double? Figure(string name) =>
            answer.Headers.TryGetValue(name, out var text) ? double.Parse(text, CultureInfo.InvariantCulture) : null;
    }

    [GeneratedRegex(@"\b(held|cpu|blocked);dur=([\d.]+)")]
    private static partial Regex Timing();
}
