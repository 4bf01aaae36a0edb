using System.Diagnostics;

namespace AsyncProbe.Packages.Tests;

/// <summary>Runs the comparison with other observers once, so that it doesn't break unnoticed between two measurements.</summary>
public sealed class PeersTests
{
    [Fact]
    public async Task Comparison_MeasuresEveryVariant_InItsShortMode()
    {
        var table = await RunAsync();

        var rows = table.Split('\n').Where(line => line.StartsWith("| ", StringComparison.Ordinal)).ToList();
        rows.Count.ShouldBe(14, table);
        rows.ShouldAllBe(row => row.Split('|').Length == rows[0].Split('|').Length);
    }

    private static async Task<string> RunAsync()
    {
        using var process = Process.Start(new ProcessStartInfo(
            "dotnet", [Path.Combine(AppContext.BaseDirectory, "AsyncProbe.Peers.dll"), "--short"]) { RedirectStandardOutput = true })!;
        try
        {
            var output = await process.StandardOutput.ReadToEndAsync().WaitAsync(TimeSpan.FromMinutes(30));
            await process.WaitForExitAsync().WaitAsync(TimeSpan.FromMinutes(1));
            process.ExitCode.ShouldBe(0, output);
            return output;
        }
        finally
        {
            process.Kill(entireProcessTree: true);
        }
    }
}
