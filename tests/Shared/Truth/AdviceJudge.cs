using System.Globalization;
using System.Text.RegularExpressions;

namespace AsyncProbe.Tests.Truth;

/// <summary>Compares an endpoint's advice with its verdict, its sites and its figures.</summary>
internal static partial class AdviceJudge
{
    private static readonly string[] s_ifAwaitable = ["if the call can be awaited", "if this call and the others can be awaited"];

    // Beside a lock or a provider, the last sentence says what can be awaited nevertheless.
    private const string Beside = " Another ";

    private static readonly string[] s_beside = ["lockContention", "providerIsSynchronous"];

    // Words that occur in only one verdict's sentence. A sentence with another verdict's words says two things at once.
    private static readonly Dictionary<string, string[]> s_words = new(StringComparer.Ordinal)
    {
        ["asyncWillHelp"] = ["await instead", .. s_ifAwaitable],
        ["lockContention"] = ["contended lock"],
        ["cpuBound"] = ["is CPU work"],
        ["alreadyAsync"] = ["the waits are awaited"],
    };

    private static readonly string[] s_undecided = ["Collecting: ", "No verdict"];

    public static void Try(Reported report, Score score)
    {
        foreach (var row in report.Endpoints)
        {
            var isUndecided = row.Verdict == "notEnoughData";
            Say(
                s_undecided.Any(words => row.Advice.StartsWith(words, StringComparison.Ordinal)) == isUndecided, row,
                isUndecided ? "that there is no verdict" : "no words of an endpoint without a verdict", score);
            foreach (var (verdict, words) in s_words)
            {
                Say(
                    words.Any(some => MainOf(row).Contains(some, StringComparison.OrdinalIgnoreCase)) == (row.Verdict == verdict),
                    row,
                    verdict == row.Verdict
                        ? $"'{string.Join("' or '", words)}' in the sentence of {row.Verdict}"
                        : $"no '{string.Join("' or '", words)}' in the sentence of {row.Verdict}",
                    score);
            }

            Say(MainOf(row) == row.Advice || s_beside.Contains(row.Verdict), row, $"no '{Beside}' in the sentence of {row.Verdict}", score);
            TryPlaces(row, [.. report.SitesOf(row.Name)], score);
            TryGain(row, score);
        }
    }

    private static void TryPlaces(ReportedEndpoint row, IReadOnlyList<ReportedSite> sites, Score score)
    {
        var accused = sites.Where(s => s.Allowed is null).ToList();
        foreach (Match place in Place().Matches(row.Advice))
        {
            Say(
                accused.Any(s => s.Text == place.Value), row,
                $"the place of one of its sites: {string.Join(" or ", accused.Select(s => s.Text))}", score);
        }

        if (row.Advice.Contains("location unknown", StringComparison.Ordinal)
            || row.Advice.Contains("location not known yet", StringComparison.Ordinal))
        {
            Say(
                s_ifAwaitable.Any(words => MainOf(row).Contains(words, StringComparison.Ordinal)) == (row.Verdict == "asyncWillHelp"), row,
                $"'{string.Join("' or '", s_ifAwaitable)}' where the place is unknown", score);

            // A place that explains most of the time must be the one that is named.
            var known = accused.Where(s => s.Endpoints.Count == 1).Sum(s => s.Blocked.Total ?? 0);
            Say(
                known <= (row.Blocked.Total ?? 0) / 2, row, $"the place that is known: {string.Join(" or ", accused.Select(s => s.Text))}",
                score);
        }

        if (row.Help is { } help && accused.Count > 0 && Place().Match(MainOf(row)) is { Success: true } named
            && accused.FirstOrDefault(s => s.Text == named.Value) is { } site)
        {
            Say(help == Anchor(site.Kind), row, $"help about {site.Kind} instead of {help}", score);
        }
    }

    // "the ceiling rises from 49 to about 1,500 requests a second (×31 at 4 threads)" must match the table's figures.
    private static void TryGain(ReportedEndpoint row, Score score)
    {
        if (Rise().Match(row.Advice) is not { Success: true } rise)
        {
            return;
        }

        var (now, then) = (Parse(rise.Groups[1].Value), Parse(rise.Groups[2].Value));
        Say(IsAbout(now, row.Now.Item1 ?? row.Now.Item2), row, $"a ceiling of {row.Now} now", score);
        Say(IsAbout(then, row.IfAsync.Item1 ?? row.IfAsync.Item2), row, $"a ceiling of {row.IfAsync} with async", score);
        if (rise.Groups[3].Success)
        {
            // All three are rounded.
            var quotient = Parse(rise.Groups[3].Value) / (then / now);
            Say(quotient is > 0.88 and < 1.12, row, $"the quotient of {now} and {then}", score);
        }

        Say(then >= now, row, "a gain", score);
    }

    private static string MainOf(ReportedEndpoint row) => row.Advice.Split(Beside)[0];

    // Two digits are written.
    private static bool IsAbout(double written, double? exact) => exact is { } value && Math.Abs(written - value) <= (0.06 * value) + 0.06;

    private static double Parse(string figure) => double.Parse(figure, NumberStyles.Number, CultureInfo.InvariantCulture);

    private static string Anchor(string kind) => kind.ToLowerInvariant().Replace('.', '-').Replace('/', '-');

    private static void Say(bool isRight, ReportedEndpoint row, string expected, Score score) =>
        score.Check(isRight, row.Name, Aspect.Contradiction, expected, $"{row.Verdict}: {row.Advice}");

    [GeneratedRegex(@"[\w.]+ \([\w.]+\.(?:cs|cshtml|razor):\d+\)")]
    public static partial Regex Place();

    [GeneratedRegex(@"rises from ([\d.,]+) to (?:up to |about )([\d.,]+) requests a second(?: \(×([\d.,]+))?")]
    private static partial Regex Rise();
}
