using System.Text.RegularExpressions;

namespace AsyncProbe.Packages.Tests.Printed;

/// <summary>Runs the documents' commands as printed, except for the sample's port and the limits of response times.</summary>
[Collection(Clone.Collection)]
public sealed partial class CommandsTests(Clone clone)
{
    // For commands in the copy of the repository.
    private IReadOnlyDictionary<string, string> WithCache { get; } =
        new Dictionary<string, string>(Commands.WithoutAnalyzers) { ["NUGET_PACKAGES"] = Clone.Cache };

    [Fact]
    public async Task Sample_AnswersTheCommandsOfTheDocuments()
    {
        var said = await clone.RunAsync(clone.Folder, WithCache, Serving(Journeys.Sample));

        said.ShouldContain("X-AsyncProbe-Held-Ms: ");
        said.ShouldContain("GET /Customers/SyncGet200MsDelay: notEnoughData.");
        said.ShouldContain("\"found\":");
        said.ShouldContain("\"kind\": ");
    }

    [Fact]
    public async Task Command_IsFound_AndComparesTheSessions()
    {
        var manifest = await File.ReadAllTextAsync(Path.Combine(clone.Folder, ".config", "dotnet-tools.json"));
        var own = Directory.CreateDirectory(Path.Combine(clone.Home, "sessions")).FullName;
        await WriteSessionAsync(Path.Combine(own, "session.websurge"));

        var compared = await clone.RunAsync(clone.Folder, WithCache, Script(Journeys.Command));

        compared.ShouldContain("customers-sync");
        compared.ShouldContain("customers-async");
        (await File.ReadAllTextAsync(Path.Combine(clone.Folder, ".config", "dotnet-tools.json"))).ShouldBe(manifest);

        var ran = await clone.RunAsync(clone.Folder, WithCache, Serving([Journeys.Command[1], $"cd '{own}'", .. Journeys.OwnSession]));
        ran.ShouldContain("GET /values/delay");
        File.Exists(Path.Combine(own, "report.html")).ShouldBeTrue();
    }

    [Fact]
    public async Task App_GetsThePackages_AndIsRidOfThem()
    {
        var app = Directory.CreateDirectory(Path.Combine(clone.Home, "shop")).FullName;
        await clone.RunAsync(clone.Folder, null, Script(["dotnet new web --no-restore -o " + app, Journeys.Command[0]]));

        await clone.RunAsync(app, null, Script([.. Journeys.App, "dotnet build"]));
        var project = await File.ReadAllTextAsync(Path.Combine(app, "shop.csproj"));
        project.ShouldContain("\"AsyncProbe\"");
        project.ShouldContain("\"AsyncProbe.StackSnapshots\"");
        project.ShouldContain("\"AsyncProbe.Analyzers\"");

        await clone.RunAsync(app, null, Script([.. Journeys.Removal, "dotnet build"]));
        (await File.ReadAllTextAsync(Path.Combine(app, "shop.csproj"))).ShouldNotContain("AsyncProbe");
        Directory.Exists(Path.Combine(clone.Home, ".nuget", "packages", "asyncprobe")).ShouldBeFalse();
        File.Exists(Path.Combine(clone.Home, ".dotnet", "tools", "asyncprobe")).ShouldBeFalse();
    }

    [Fact]
    public async Task Workflow_LoadsTheAppAndShowsTheReport()
    {
        var summary = Path.Combine(clone.Home, "summary.md");
        var steps = WorkflowSteps(await File.ReadAllTextAsync(Path.Combine(clone.Folder, "docs", "ci.md")));
        steps.Count.ShouldBe(4);

        // Simulates a change that makes the endpoint block: the same baseline, and the twin that waits.
        const string blocking = "tools/asyncprobe run websurge/customers-sync.websurge -t 2 -w 3 -s 3 --baseline websurge/baseline.json "
            + "--threshold 'sites.new==0' 2>&1 || echo \"ended with $?\"";

        var said = await clone.RunAsync(
            clone.Folder,
            new Dictionary<string, string>(WithCache) { ["GITHUB_STEP_SUMMARY"] = summary },
            "set -eo pipefail\nset -m\ntrap 'for job in $(jobs -p); do kill -- -$job; done' EXIT\n"
                + WithTime([.. steps, blocking]));

        (await File.ReadAllTextAsync(summary)).ShouldContain("customers-async");
        said.ShouldContain("New since the baseline: CustomersController.SyncGet200MsDelay");
        said.ShouldContain("ended with 99");
        File.Exists(Path.Combine(clone.Folder, "report.html")).ShouldBeTrue();
        File.Exists(Path.Combine(clone.Folder, "report.xml")).ShouldBeTrue();
        File.Exists(Path.Combine(clone.Folder, "report.sarif")).ShouldBeTrue();
    }

    // Two threads and almost no work.
    private async Task WriteSessionAsync(string file)
    {
        var session = await File.ReadAllTextAsync(Path.Combine(clone.Folder, "websurge", "customers-async.websurge"));
        await File.WriteAllTextAsync(
            file,
            session.Replace("/Customers/AsyncGet200MsDelay", "/values/delay?ms=20", StringComparison.Ordinal)
                .Replace(": 50,", ": 2,", StringComparison.Ordinal));
    }

    private string Script(IEnumerable<string> commands) =>
        "set -eo pipefail\n" + Adapted(commands);

    // The sample runs in its own process group, so that ending it ends all its processes. Its exit code doesn't matter, only
    // that of the commands, which the script keeps.
    private string Serving(IEnumerable<string> commands) =>
        $"""
        set -eo pipefail
        set -m
        {Journeys.Serve} > sample.log 2>&1 &
        server=$!
        trap 'set +e; kill -- -$server; wait $server' EXIT
        for i in $(seq 900); do curl -sf -o /dev/null "http://127.0.0.1:{clone.Port}/values/delay?ms=1" && break; sleep 0.2; done
        {Adapted(commands)}
        """;

    private string Adapted(IEnumerable<string> commands) => WithTime(commands).Replace("5080", clone.Port, StringComparison.Ordinal);

    // These tests run at idle priority in CI, so a response may wait for seconds until other tests leave it a core.
    private static string WithTime(IEnumerable<string> commands) => ResponseTime().Replace(string.Join('\n', commands), "p(95)<60000");

    /// <summary>
    /// The scripts of a workflow: the text after <c>run:</c>, on the same line or indented below it. Lines after <c>&gt;</c> are joined.
    /// </summary>
    private static List<string> WorkflowSteps(string document) =>
        [.. Step().Matches(document).Select(step => step.Groups["style"].Value == ">"
            ? WhiteSpace().Replace(step.Groups["lines"].Value, " ").Trim()
            : step.Groups["style"].Value == "|" ? step.Groups["lines"].Value : step.Groups["line"].Value)];

    [GeneratedRegex(@"p\(95\)<\d+")]
    private static partial Regex ResponseTime();

    [GeneratedRegex(@"^(?<indent> +)run: ((?<style>[|>])\n(?<lines>(\k<indent> +.*\n)+)|(?<line>.+))", RegexOptions.Multiline)]
    private static partial Regex Step();

    [GeneratedRegex(@"\s+")]
    private static partial Regex WhiteSpace();
}
