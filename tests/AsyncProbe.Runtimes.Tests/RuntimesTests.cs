using System.Runtime.InteropServices;
using AsyncProbe.Packages.Tests;

namespace AsyncProbe.Runtimes.Tests;

/// <summary>
/// The real runtimes before .NET 10, from their packages, and .NET 10 with async methods that the runtime suspends: the tests of
/// AsyncProbe.Runtimes are published with each of them inside, and run.
/// </summary>
public sealed class RuntimesTests
{
    private const string Catalogue = "AsyncProbe.Tests.Blocking.Catalogue.CatalogueTests";

    private const string RuntimeAsync = "runtime async";

    private static readonly TimeSpan s_timeout = TimeSpan.FromMinutes(5);

    // A list that lost a room of tests would pass too.
    private static readonly string[] s_classes =
    [
        Catalogue,
        "AsyncProbe.Tests.Blocking.Hook.WaitHookTests",
        "AsyncProbe.Tests.Clocks.ThreadClockTests",
        "AsyncProbe.Tests.Reporting.ReportTests",
        "AsyncProbe.Tests.Requests.SplitOfRequestTests",
        "AsyncProbe.Runtimes.RuntimeTests",
        "AsyncProbe.Runtimes.SnapshotTests",
        "AsyncProbe.Runtimes.StarvedTests",
    ];

    /// <summary>Runtime async costs a minute or two more, and only whoever asks for it pays them.</summary>
    public static TheoryData<string, string, string> Runtimes()
    {
        var data = new TheoryData<string, string, string> { { "net8.0", "8.0.", ".NET 8" }, { "net9.0", "9.0.", ".NET 9" } };
        if (Environment.GetEnvironmentVariable("ASYNCPROBE_RUNTIME_ASYNC") == "1")
        {
            data.Add("net10.0", "10.0.", RuntimeAsync);
        }

        return data;
    }

    /// <param name="framework">What is published.</param>
    /// <param name="runtime">What the program must find itself on.</param>
    /// <param name="column">What the catalogue's table calls it.</param>
    [Theory]
    [MemberData(nameof(Runtimes))]
    public async Task OtherRuntime_PassesTheSameTests(string framework, string runtime, string column)
    {
        var program = await PublishAsync(framework, column == RuntimeAsync);

        var lines = await RunAsync(program);
        lines[0].ShouldStartWith($"runtime {runtime}");
        var passed = Names(lines, "passed ");
        Names(lines, "failed ").ShouldBeEmpty();
        s_classes.ShouldAllBe(name => passed.Any(test => test.StartsWith(name + ".", StringComparison.Ordinal)));
        passed.Count(test => test.StartsWith($"{Catalogue}.Sin_", StringComparison.Ordinal)).ShouldBe(3 * RowsFoundOn(column));
        lines[^1].ShouldBe("finished");
    }

    /// <summary>How many rows docs/catalogue.md says are found there, in three positions each.</summary>
    private static int RowsFoundOn(string column)
    {
        var table = File.ReadLines(Path.Combine(Repository.Folder, "docs", "catalogue.md"))
            .SkipWhile(line => !line.StartsWith("| blocks | kind | first |", StringComparison.Ordinal))
            .TakeWhile(line => line.StartsWith('|'))
            .Select(line => line.Split(" | ").Select(cell => cell.Trim('|', ' ')).ToList()).ToList();
        var index = table[0].IndexOf(column);
        return table.Skip(2).Count(row => row[index] is "named" or "counted");
    }

    private static List<string> Names(string[] lines, string outcome) =>
        [.. lines.Where(line => line.StartsWith(outcome, StringComparison.Ordinal)).Select(line => line[outcome.Length..])];

    private static async Task<string> PublishAsync(string framework, bool isRuntimeAsync)
    {
        var folder = Path.Combine(Repository.Folder, "artifacts", "runtimes", framework);
        await Commands.RunAsync(
            Repository.Folder,
            new Dictionary<string, string>(),
            "dotnet", "publish", "tests/AsyncProbe.Runtimes", "-f", framework, "-r", RuntimeInformation.RuntimeIdentifier,
            "--self-contained", "-o", folder, "-v:q", "-nodeReuse:false",
            $"-p:RuntimeAsync={isRuntimeAsync}");
        return Path.Combine(folder, "AsyncProbe.Runtimes");
    }

    private static async Task<string[]> RunAsync(string program)
    {
        using var process = Commands.Start(Repository.Folder, new Dictionary<string, string> { ["DOTNET_RuntimeAsync"] = "1" }, program);
        using var timeout = new CancellationTokenSource(s_timeout);
        try
        {
            var output = process.StandardOutput.ReadToEndAsync(timeout.Token);
            var errors = process.StandardError.ReadToEndAsync(timeout.Token);
            await process.WaitForExitAsync(timeout.Token);
            var text = await output;
            text.ShouldNotBeEmpty(await errors);
            return [.. text.Split('\n', StringSplitOptions.RemoveEmptyEntries)];
        }
        finally
        {
            if (!process.HasExited)
            {
                process.Kill(entireProcessTree: true);
            }
        }
    }
}
