using System.Runtime.InteropServices;

namespace AsyncProbe.Runtimes.Tests;

/// <summary>
/// The real runtimes before .NET 10, from their packages, and .NET 10 with async methods that the runtime suspends. The tests of
/// AsyncProbe.Runtimes are published with each of them, and run.
/// </summary>
public sealed class RuntimesTests
{
    private const string RuntimeAsync = "runtime async";

    private static readonly TimeSpan s_timeout = TimeSpan.FromMinutes(5);

    // Without this list, a run that lost a class of tests would still pass.
    private static readonly string[] s_classes =
    [
        "AsyncProbe.Tests.Blocking.Catalogue.CatalogueTests",
        "AsyncProbe.StackSnapshots.Tests.Catalogue.ArmedCatalogueTests",
        "AsyncProbe.StackSnapshots.Tests.TwinTests",
        "AsyncProbe.Tests.Blocking.Hook.WaitHookTests",
        "AsyncProbe.Tests.Clocks.ThreadClockTests",
        "AsyncProbe.Tests.Reporting.ReportTests",
        "AsyncProbe.Tests.Requests.SplitOfRequestTests",
        "AsyncProbe.Runtimes.RuntimeTests",
        "AsyncProbe.Runtimes.SnapshotTests",
        "AsyncProbe.Runtimes.StarvedTests",
        "AsyncProbe.Tests.Blocking.BlockingGuardTests",
    ];

    [Fact]
    public Task Net8_PassesTheSameTests() => ShouldPassAsync("net8.0", "8.0.", ".NET 8");

    // An app on .NET 9 runs the assembly for .NET 8, which the test above covers.
    [Fact]
    [Trait("Category", "Full")]
    public Task Net9_PassesTheSameTests() => ShouldPassAsync("net9.0", "9.0.", ".NET 9");

    [Fact]
    [Trait("Category", "Full")]
    public Task RuntimeAsync_PassesTheSameTests() => ShouldPassAsync("net10.0", "10.0.", RuntimeAsync);

    /// <param name="framework">The framework to publish for.</param>
    /// <param name="runtime">The runtime that the program must detect.</param>
    /// <param name="column">The runtime's name in the catalogue's tables.</param>
    private static async Task ShouldPassAsync(string framework, string runtime, string column)
    {
        var program = await PublishAsync(framework, column == RuntimeAsync);

        var run = await ProgramRun.RunAsync(
            program, new() { ["DOTNET_RuntimeAsync"] = "1" }, s_timeout, [.. s_classes.Select(name => name + ".*")]);
        run.Runtime.ShouldStartWith(runtime);
        run.ShouldHavePassed();
        s_classes.ShouldAllBe(name => run.Passed.Any(test => test.StartsWith(name + ".", StringComparison.Ordinal)));
        new CatalogueColumn(column).ShouldBeShownBy(run.Passed);
    }

    // Code compiled for runtime async, including AsyncProbe, has its own folders: other builds must not find it.
    private static async Task<string> PublishAsync(string framework, bool isRuntimeAsync)
    {
        string[] options = isRuntimeAsync
            ? ["-p:RuntimeAsync=true", "--artifacts-path", Path.Combine(Repository.Folder, "artifacts", "runtimes", "runtime-async")]
            : [];
        var folder = await Published.FolderAsync("tests/AsyncProbe.Runtimes", framework, RuntimeInformation.RuntimeIdentifier, options);
        return Path.Combine(folder, "AsyncProbe.Runtimes");
    }
}
