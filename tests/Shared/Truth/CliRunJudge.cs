using System.Text.Json;

namespace AsyncProbe.Tests.Truth;

/// <summary>Compares the server's half of <c>asyncprobe run --json</c> with the report that was taken right after it.</summary>
internal static class CliRunJudge
{
    public static void Try(Reported report, JsonElement run, Score score)
    {
        foreach (var row in run.GetProperty("server").GetProperty("endpoints").EnumerateArray())
        {
            var name = row.GetProperty("endpoint").GetString()!;
            if (report.Find(name) is not { } told)
            {
                score.Check(false, name, Aspect.Contradiction, "an endpoint of the report", "a row in asyncprobe run");
                continue;
            }

            Say(Text(row, "verdict") == told.Verdict, $"{told.Verdict} in asyncprobe run", Text(row, "verdict"));
            Say(
                row.GetProperty("requests").GetInt64() <= told.Requests, $"at most {told.Requests} requests in asyncprobe run",
                row.GetProperty("requests").ToString());
            if (Text(row, "worstSite") is { } worst)
            {
                var sites = report.SitesOf(name).ToList();
                Say(
                    sites.Any(s => s.Text == worst && s.Kind == Text(row, "worstSiteKind")),
                    $"one of {string.Join(" or ", sites.Select(s => $"{s.Text} [{s.Kind}]"))}", $"{worst} [{Text(row, "worstSiteKind")}]");
            }

            void Say(bool isRight, string expected, string? got) =>
                score.Check(isRight, name, Aspect.Contradiction, expected, got ?? "nothing");
        }
    }

    private static string? Text(JsonElement row, string name) => row.TryGetProperty(name, out var value) ? value.GetString() : null;
}
