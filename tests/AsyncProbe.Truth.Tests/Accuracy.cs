using System.Globalization;
using AsyncProbe.Truth.Tests.Generator;

namespace AsyncProbe.Truth.Tests;

/// <summary>Generates docs/accuracy.md, if <c>ACCURACY_FILE</c> names a file for it.</summary>
internal static class Accuracy
{
    private static readonly (Aspect Aspect, string Text)[] s_aspects =
    [
        (Aspect.Verdict, "verdicts"), (Aspect.Kind, "kinds"), (Aspect.Method, "methods"), (Aspect.Line, "lines"),
        (Aspect.Site, "places that must be named"),
        (Aspect.FalseAlarm, "places where there must be none or others"), (Aspect.Figure, "figures against the endpoint's own clocks"),
        (Aspect.Contradiction, "sentences and figures against each other"),
    ];

    public static IEnumerable<string> Summary(Score score) =>
        s_aspects.Select(a => string.Create(
            CultureInfo.InvariantCulture,
            $"| {a.Text} | {score.Checked(a.Aspect)} | {score.Checked(a.Aspect) - score.Wrong(a.Aspect)} "
                + $"| {Math.Floor(score.Right(a.Aspect) * 1000) / 10:0.0} % |"));

    /// <summary>What the document must contain, whatever was measured.</summary>
    public static IEnumerable<string> Needed() =>

        [
            .. RuntimeSetting.All.Select(s => s.Name),
            .. Waits.All.Select(w => $"`{w.Name}`"),
            .. Shapes.All.Select(s => s.Name),
            .. Untruths.Known.Select(u => u.Reason),
        ];

    public static void Write(Score score)
    {
        if (Environment.GetEnvironmentVariable("ACCURACY_FILE") is { Length: > 0 } file)
        {
            File.WriteAllText(file, string.Join('\n', Lines(score)) + "\n");
        }
    }

    private static IEnumerable<string> Lines(Score score)
    {
        var rows = Plan.Pairwise();
        yield return "# How often AsyncProbe is right";
        yield return "";
        yield return "`tests/AsyncProbe.Truth.Tests` generates endpoints and knows, from how it made them, what is true of "
            + "each: which line blocks, for how";
        yield return "long and in which way, and what would help. It compiles them, runs them in separate processes, and sends "
            + "them requests. Then it compares";
        yield return "everything that the report, the headers, the log and the command line say with that truth and with each "
            + "other. The times are compared";
        yield return "with clocks that the endpoints read themselves. `tests/full` runs all of it, and CI runs two of the ways "
            + "to run. To write this page:";
        yield return "`ACCURACY_FILE=$PWD/docs/accuracy.md dotnet test tests/AsyncProbe.Truth.Tests --settings "
            + "tests/full.runsettings`.";
        yield return "";
        yield return string.Create(
            CultureInfo.InvariantCulture,
            $"{rows.Count} endpoints and {rows.Sum(r => r.Row.Requests):#,0} requests, chosen so that every two of the pieces below meet "
                + $"in one of them:");
        yield return "";
        yield return "| compared | times | right | |";
        yield return "|---|---:|---:|---:|";
        foreach (var line in Summary(score))
        {
            yield return line;
        }

        yield return "";
        yield return "## What is known to be told wrongly";
        yield return "";
        if (Untruths.Known.Count == 0)
        {
            yield return "We know of nothing that AsyncProbe reports wrongly every time. Now and then it reports an endpoint wrongly: "
                + "the table counts those of this run.";
        }
        else
        {
            yield return "| endpoints | what | why |";
            yield return "|---|---|---|";
            foreach (var untruth in Untruths.Known)
            {
                yield return $"| {untruth.Endpoints.Replace("|", "\\|", StringComparison.Ordinal)} | {untruth.Aspect} | {untruth.Reason} |";
            }
        }

        yield return "";
        yield return "Wrong lines and figures are counted above and not listed here: `tests/full` fails below 95 % of lines or 99 % of figures.";
        yield return "";
        yield return "## The pieces";
        yield return "";
        yield return "| statement | kind | verdict | seen by |";
        yield return "|---|---|---|---|";
        foreach (var wait in Waits.All)
        {
            var seen = wait switch
            {
                { Kind: null } => "",
                { SeenBy: SeenBy.Perhaps } => "not always",
                { Kind: "EfCore" } => "EF Core's events",
                { SeenBy: SeenBy.Hook } => "the wait hook",
                _ => "stack snapshots",
            };
            yield return $"| `{wait.Name}` | {wait.Kind ?? ""} | {wait.Verdict} | {seen} |";
        }

        yield return "";
        yield return "Where it stands: " + string.Join("; ", Shapes.All.Select(s => s.Name)) + ".";
        yield return "";
        yield return "What came before: " + string.Join("; ", Position.All.Select(p => p.Name)) + ".";
        yield return "";
        yield return "Who asks: 1, 4 or 32 clients at once; a few requests of a cold process, or so many that the code is compiled again "
            + "meanwhile.";
        yield return "";
        yield return "How it runs: " + string.Join("; ", RuntimeSetting.All.Select(s => s.Name)) + ".";
    }
}
