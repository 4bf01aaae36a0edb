using System.Globalization;
using System.Text;
using AsyncProbe.Integration.Tests.Snapshots.ShortWaits;

namespace AsyncProbe.Integration.Tests.Snapshots.Lines;

/// <summary>How much of the blocked time in the report has its line, for everything that blocks, with production settings.</summary>
public sealed class LinesTests
{
    private const double Least = 0.95;

    private static readonly string[] s_positions = ["first", "later", "library"];

    // By then every line must be known, even on a crowded machine.
    private static readonly TimeSpan s_longest = TimeSpan.FromSeconds(60);

    // A table needs the same time for all rows, however good the result already is.
    private static readonly TimeSpan s_forTheTable = TimeSpan.FromSeconds(40);

    [Fact]
    public async Task BlockedTime_HasItsLine_WhateverBlocks()
    {
        // CATALOGUE_LINES names the file for the table of all rows in all positions; benchmarks/catalogue-lines sets it.
        var file = Environment.GetEnvironmentVariable("CATALOGUE_LINES") is { Length: > 0 } name ? name : null;
        using var sins = new ShortSins();
        await using var app = await LineApp.StartAsync(
            [.. LineRow.All(sins).Select((row, i) => (row, file is null ? [s_positions[i % s_positions.Length]] : s_positions))]);

        var times = await app.RunAsync((elapsed, times) =>
            file is null ? elapsed > s_longest || (ShareOf(times) > Least && MeanOf(times) > Least) : elapsed > s_forTheTable);

        var table = Table(times);
        if (file is not null)
        {
            await File.WriteAllTextAsync(file, table);
        }

        // The share of all blocked time, most of which belongs to the rows called longest, and the mean over rows, each counting equally.
        ShareOf(times).ShouldBeGreaterThanOrEqualTo(Least, table);
        MeanOf(times).ShouldBeGreaterThanOrEqualTo(Least, table);
    }

    private static double ShareOf(IReadOnlyList<(LineRow Row, LineTime Time)> times) =>
        times.Sum(t => t.Time.WithLine) / times.Sum(t => t.Time.Blocked);

    private static double MeanOf(IReadOnlyList<(LineRow Row, LineTime Time)> times) => times.Average(t => t.Time.Share);

    private static string Table(IReadOnlyList<(LineRow Row, LineTime Time)> times)
    {
        var table = new StringBuilder(
            "| blocks | seen by | blocked | has its line | timed or sampled there | at other places |\n|---|---|--:|--:|--:|---|\n");
        foreach (var (row, time) in times)
        {
            table.Append(
                CultureInfo.InvariantCulture,
                $"| `{row.Code}` | {(row.IsHooked ? "hook" : "windows")} | {time.Blocked / 1000:0.0} s | {100 * time.Share:0.0} % ");
            table.Append(CultureInfo.InvariantCulture, $"| {time.AtLine / 1000:0.0} s | {time.Elsewhere} |\n");
        }

        return table.Append(
            CultureInfo.InvariantCulture,
            $"| all | | {times.Sum(t => t.Time.Blocked) / 1000:0.0} s | {100 * ShareOf(times):0.0} %, rows on average {100 * MeanOf(times):0.0} % | | |\n")
            .ToString();
    }
}
