using System.Globalization;

namespace AsyncProbe.Tests.Truth;

/// <summary>Compares the text of <c>asyncprobe report</c> with the report behind it.</summary>
internal static class CliReportJudge
{
    public static void Try(Reported report, Evidence evidence, Score score)
    {
        if (evidence.CliReport is not { } text)
        {
            return;
        }

        // Long lines are wrapped on narrow terminals, so words are compared, not lines.
        var words = Flat(text);
        foreach (var row in report.Endpoints.Where(e => e.Verdict is not ("fine" or "alreadyAsync" or "notEnoughData"))
            .OrderByDescending(e => e.Blocked.Total).ThenByDescending(e => e.Held.Total).Take(5))
        {
            Say(
                words.Contains(Flat($"{row.Name}: {row.Advice}"), StringComparison.Ordinal), row.Name,
                $"asyncprobe report to say: {row.Advice}");
        }

        foreach (var row in report.Endpoints.OrderByDescending(e => e.Blocked.Total).ThenByDescending(e => e.Held.Total).Take(15))
        {
            var line = text.Split('\n')
                .FirstOrDefault(
                    l => l.Contains(row.Name + " ", StringComparison.Ordinal)
                        && l.Contains(Spaced(row.Verdict), StringComparison.OrdinalIgnoreCase));
            Say(line is not null && line.Contains(row.Requests.ToString("N0", CultureInfo.InvariantCulture), StringComparison.Ordinal),
                row.Name,
                $"asyncprobe report to have {row.Requests} requests and {row.Verdict}", line ?? "no such line");
        }

        foreach (var site in report.Sites.OrderByDescending(s => s.Blocked.Total).Take(15))
        {
            Say(
                words.Contains(Flat($"{site.Text} [{site.Kind}]"), StringComparison.Ordinal), site.Endpoints.FirstOrDefault("?"),
                $"asyncprobe report to have {site.Text} [{site.Kind}]");
        }

        void Say(bool isRight, string endpoint, string expected, string got = "not there") =>
            score.Check(isRight, endpoint, Aspect.Contradiction, expected, got);
    }

    // "asyncWillHelp" is printed as "async will help".
    private static string Spaced(string verdict) =>
        verdict == "notEnoughData"
            ? "collecting: "
            : string.Concat(verdict.Select(c => char.IsUpper(c) ? $" {char.ToLowerInvariant(c)}" : $"{c}"));

    private static string Flat(string text) => string.Join(' ', text.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries));
}
