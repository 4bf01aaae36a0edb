using System.Diagnostics;
using System.Runtime.InteropServices;
using System.Text.Json;

namespace AsyncProbe.Runtimes.Tests;

/// <summary>An app that was published trimmed: what nobody calls is gone, and AsyncProbe calls much by reflection.</summary>
public sealed class TrimmedTests
{
    [Fact]
    public async Task TrimmedApp_IsPublishedWithoutAWarning_AndItsReportNamesTheLine()
    {
        // Warnings are errors there.
        var folder = await Published.FolderAsync("tests/AsyncProbe.Trimmed", "net10.0", RuntimeInformation.RuntimeIdentifier);
        await using var server = await TrimmedServer.StartAsync(Path.Combine(folder, "AsyncProbe.Trimmed"));

        await server.TextAsync("/wait");
        await server.TextAsync("/sleep");

        JsonElement report = default;
        await Eventually.TrueAsync(
            async () => (report = await server.ReportAsync()).GetProperty("endpoints").GetArrayLength() == 2, () => $"{report}");
        report.GetProperty("probe").GetProperty("selfTest").GetString().ShouldBe("passed");
        report.GetProperty("probe").GetProperty("notAvailable").GetArrayLength().ShouldBe(0, $"{report}");
        report.GetProperty("endpoints").EnumerateArray()
            .ShouldAllBe(row => row.GetProperty("blockedMs").GetProperty("total").GetDouble() > 150);
        var site = report.GetProperty("sites").EnumerateArray().ShouldHaveSingleItem($"{report}");
        site.GetProperty("kind").GetString().ShouldBe("Task.Wait");
        site.GetProperty("at").GetString().ShouldBe("Program.Main");
        site.GetProperty("line").GetInt32().ShouldBe(LineOf("/wait"));
        site.GetProperty("endpoints").EnumerateArray().ShouldHaveSingleItem().GetString().ShouldBe("GET /wait");
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
