using System.Text.RegularExpressions;

namespace AsyncProbe.Tests.Truth;

/// <summary>Compares what was logged about call sites and the pool with the truth and the report.</summary>
internal static partial class LogJudge
{
    public static void Try(IReadOnlyCollection<EndpointTruth> truths, Reported report, Evidence evidence, Score score)
    {
        Dictionary<(string Place, string Kind), int> told = [];
        foreach (Match line in SiteLine().Matches(evidence.Log))
        {
            var (endpoint, place, kind) = (line.Groups["endpoint"].Value, line.Groups["site"].Value, line.Groups["kind"].Value);
            told[(place, kind)] = told.GetValueOrDefault((place, kind)) + 1;
            var sites = report.SitesOf(endpoint).ToList();
            score.Check(
                sites.Any(s => s.Text == place && s.Kind == kind), endpoint, Aspect.Contradiction,
                $"a log line with one of the report's sites: {string.Join(" or ", sites.Select(s => $"{s.Text} [{s.Kind}]"))}",
                $"{place} [{kind}]");
            if (truths.FirstOrDefault(t => t.Endpoint == endpoint) is { } truth)
            {
                if (SiteJudge.TryText(truth, place, "in the log", score))
                {
                    score.Check(
                        truth.Sites.Any(s => s.Kind == kind) || truth.MayBlockInLibraries || SiteJudge.IsLockOfTheTimers(place, kind),
                        endpoint, Aspect.Kind, string.Join(" or ", truth.Sites.Select(s => s.Kind)), line.Value);
                }
            }
        }

        foreach (var ((place, kind), times) in told)
        {
            score.Check(times == 1, place, Aspect.Contradiction, "one warning for one place", $"{times} for {kind}");
        }
    }

    [GeneratedRegex(@"(?:A stack snapshot saw )?(?<endpoint>[A-Z]+ /\S*|\(\w+\))(?: \(after response\))? block(?:ed)? a pool thread for [\d.,]+ m?s at (?<site>.+?) \((?<kind>[\w./]+)\): ")]
    private static partial Regex SiteLine();
}
