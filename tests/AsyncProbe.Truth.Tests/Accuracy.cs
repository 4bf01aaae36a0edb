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
        (Aspect.FalseAlarm, "places that must not be named"), (Aspect.Figure, "figures compared with the endpoint's own clocks"),
        (Aspect.Contradiction, "sentences and figures compared with each other"),
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
        yield return "`tests/AsyncProbe.Truth.Tests` generates endpoints, so it knows the truth about each of them: which line "
            + "blocks, how, for how long, and";
        yield return "what would help. It compiles them, runs them in separate processes, and sends them requests. Then it "
            + "compares what the report, the";
        yield return "headers, the log and the command line say with that truth and with each other. It compares times with "
            + "clocks that the endpoints read";
        yield return "themselves. `tests/full` runs all of the settings below, and CI runs two of them. To write this page:";
        yield return "`ACCURACY_FILE=$PWD/docs/accuracy.md dotnet test tests/AsyncProbe.Truth.Tests --settings "
            + "tests/full.runsettings`.";
        yield return "";
        yield return string.Create(
            CultureInfo.InvariantCulture,
            $"{rows.Count} endpoints and at least {rows.Sum(r => r.Row.Requests):#,0} requests, chosen so that any two of the pieces below occur "
                + $"together in at least one endpoint:");
        yield return "";
        yield return "| compared | times | right | |";
        yield return "|---|---:|---:|---:|";
        foreach (var line in Summary(score))
        {
            yield return line;
        }

        yield return "";
        yield return "## Known wrong answers";
        yield return "";
        if (Untruths.Known.Count == 0)
        {
            yield return "We know of nothing that AsyncProbe gets wrong every time. Sometimes it gets an endpoint wrong; the table "
                + "counts the cases of this run.";
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
        yield return "The table also counts wrong lines and figures, which are not listed here. `tests/full` fails if fewer than "
            + "95 % of the lines or 99 % of the figures are right.";
        yield return "";
        yield return "## Outside this table";
        yield return "";
        yield return "These endpoints are shapes that we thought of. Two more checks look for what we didn't think of:";
        yield return "";
        yield return "- `tests/Apps/Zoo` has 88 endpoints that use 66 packages as their documentation shows, with the truth next to each line: "
            + "[results](../tests/zoo-results.md). A site counts as";
        yield return "  false where nothing blocks, and as misleading where something blocks in another way, at another line or at "
            + "another owner's lock.";
        yield return "- Readers who hadn't written the rules compared every row and every sentence about six public applications with "
            + "their source, with and without added";
        yield return "  waits: [results](../benchmarks/results/applications.md). The last section there lists what is still wrong.";
        yield return "";
        yield return "What none of this shows: other operating systems than Linux, machines with more than four cores, and what a request "
            + "would gain from a change that no one has made.";
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
        yield return "Where the statement is: " + string.Join("; ", Shapes.All.Select(s => s.Name)) + ".";
        yield return "";
        yield return "What came before: " + string.Join("; ", Position.All.Select(p => p.Name)) + ".";
        yield return "";
        yield return "Load: 1, 4 or 32 clients at once; a few requests to a cold process, or so many that the JIT compiler compiles the "
            + "code again.";
        yield return "";
        yield return "Settings: " + string.Join("; ", RuntimeSetting.All.Select(s => s.Name)) + ".";
    }
}
