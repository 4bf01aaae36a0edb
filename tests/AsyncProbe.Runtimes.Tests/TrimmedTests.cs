using System.Diagnostics;
using System.Text.Json;

namespace AsyncProbe.Runtimes.Tests;

/// <summary>An app that was published trimmed: uncalled code is gone, and AsyncProbe calls much by reflection.</summary>
public sealed class TrimmedTests(TrimmedApp app) : IClassFixture<TrimmedApp>
{
    [Fact]
    public async Task TrimmedApp_IsPublishedWithoutAWarning_AndItsReportNamesTheLine()
    {
        await using var server = await TrimmedServer.StartAsync(app.Program);

        await server.TextAsync("/wait");
        await server.TextAsync("/sleep");

        JsonElement report = default;
        await Eventually.TrueAsync(
            async () => (report = await server.ReportAsync()).GetProperty("endpoints").EnumerateArray()
                .Count(row => row.GetProperty("requests").GetInt64() == 1) == 2,
            () => $"{report}");
        report.GetProperty("probe").GetProperty("selfTest").GetString().ShouldBe("passed");
        report.GetProperty("probe").GetProperty("notAvailable").GetArrayLength().ShouldBe(0, $"{report}");
        report.GetProperty("endpoints").EnumerateArray()
            .ShouldAllBe(row => row.GetProperty("blockedMs").GetProperty("total").GetDouble() > 150);
        var site = report.GetProperty("sites").EnumerateArray()
            .Single(row => row.GetProperty("kind").GetString() == "Task.Wait");
        site.GetProperty("at").GetString().ShouldBe("Program.Main");
        site.GetProperty("line").GetInt32().ShouldBe(LineOf("/wait"));
        site.GetProperty("endpoints").EnumerateArray().ShouldHaveSingleItem().GetString().ShouldBe("GET /wait");
    }

    [Fact]
    public async Task StackSnapshot_NamesTheLineThatSleeps_InATrimmedApp()
    {
        await using var server = await TrimmedServer.StartAsync(app.Program);
        var held = server.TextAsync("/hang");

        JsonElement found = default;
        await Eventually.TrueAsync(
            async () => (found = (await server.ReportAsync()).GetProperty("sites").EnumerateArray()
                .FirstOrDefault(row => row.GetProperty("kind").GetString() == "Sleep")).ValueKind == JsonValueKind.Object,
            () => server.Output,
            ChildProcess.Timeout);

        found.GetProperty("at").GetString().ShouldBe("Program.Main");
        found.GetProperty("line").GetInt32().ShouldBe(LineOf("/hang"));
        found.GetProperty("sampled").GetBoolean().ShouldBeTrue();
        server.Kill();
        await Should.ThrowAsync<Exception>(held);
    }

    private static int LineOf(string route) => 1 + Array.FindIndex(
        File.ReadAllLines(Path.Combine(Repository.Folder, "tests", "AsyncProbe.Trimmed", "Program.cs")),
        line => line.Contains($"\"{route}\"", StringComparison.Ordinal));

    private sealed class TrimmedServer : ChildProcess
    {
        private TrimmedServer(ProcessStartInfo start)
            : base(start)
        {
        }

        public static async Task<TrimmedServer> StartAsync(string program)
        {
            var server = new TrimmedServer(new(program, ["--urls", "http://127.0.0.1:0"]));
            await server.ListenAsync();
            return server;
        }
    }
}
