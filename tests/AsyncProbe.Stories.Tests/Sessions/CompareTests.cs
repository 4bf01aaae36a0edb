namespace AsyncProbe.Stories.Tests.Sessions;

/// <summary>Short versions of the comparisons that the README shows, each run on a fresh sample.</summary>
public sealed class CompareTests
{
    // Eight threads that sleep for a second each serve eight requests a second; forty clients that await a second each get forty.
    private static readonly string[] Values =
    [
        "compare", AsyncProbeCommand.Session("values-sleep"), AsyncProbeCommand.Session("values-delay"),
        AsyncProbeCommand.Session("values-cached"),
        "--rounds", "1", "--threshold", "failed.count==0",
    ];

    [Fact]
    public async Task Values_OrderThemselves_AsTheirStorySays()
    {
        await using var sample = await SampleProcess.StartAsync("--Sample:MaxWorkerThreads", "8", "--Sample:Upstream", "false");

        var compared = await AsyncProbeCommand.RunAsync([.. Values, "-s", "3", "-w", "1", "-t", "40", "--base-url", sample.Address.ToString()]);

        compared.ExitCode.ShouldBe(0, compared.Messages + compared.Results);
        compared.Results.ShouldMatch(
            @"Requests a second: values-sleep [\d.,]+; values-delay [\d.,]+, [\d.,]+ × more; values-cached [\d.,]+, (more than )?[\d.,]+ × more\.");
        compared.Results.ShouldContain("reached the method");
    }

    [Fact]
    public async Task Values_ExitWith99_WhenTheyAreToAnswerInAMillisecond()
    {
        await using var sample = await SampleProcess.StartAsync("--Sample:Upstream", "false");

        var compared = await AsyncProbeCommand.RunAsync(
            [.. Values, "-s", "1", "-w", "0", "-t", "10", "--base-url", sample.Address.ToString(), "--threshold", "p(95)<1"]);

        compared.ExitCode.ShouldBe(99, compared.Messages + compared.Results);
        compared.Messages.ShouldContain("not met: values-sleep: p(95)<1");
    }

    [Fact]
    public async Task Customers_NameTheBlockingLine_AndTheGainPredictedAndReached()
    {
        var url = $"http://127.0.0.1:{FreePort.Take()}";
        var program = Path.Combine(AppContext.BaseDirectory, "AsyncProbe.Sample.dll");
        var source = await File.ReadAllLinesAsync(
            Path.Combine(Repository.Folder, "src/AsyncProbe.Sample/Customers/CustomersController.cs"));
        var line = Array.FindIndex(source, text => text.Contains(".Wait();", StringComparison.Ordinal)) + 1;

        var compared = await AsyncProbeCommand.RunAsync(
            "compare", AsyncProbeCommand.Session("customers-sync"), AsyncProbeCommand.Session("customers-async"), "--base-url", url,
            "-s", "4", "-w", "1", "--rounds", "1", "--server", $"dotnet {program} --urls {url} --Sample:Upstream=false");

        compared.ExitCode.ShouldBe(0, compared.Messages + compared.Results);
        compared.Results.ShouldMatch(
            $@"GET /Customers/SyncGet200MsDelay held a thread for [\d,.]+ ms a request, blocked [\d,.]+ ms of it at CustomersController.SyncGet200MsDelay \(CustomersController.cs:{line}\)");
        compared.Results.ShouldMatch(
            @"With async the ceiling of GET /Customers/SyncGet200MsDelay would be (≤[\d,.]+ a second|[\d,.–]+ a second \(×[\d,.]+\)); customers-async reached ×");
    }
}
