using System.Text.RegularExpressions;
using AsyncProbe.Truth.Tests.Generator;
using Xunit.Abstractions;

namespace AsyncProbe.Truth.Tests;

/// <summary>
/// The full product of the pieces, in parts: <c>tests/AsyncProbe.Truth.Tests/full</c>. Without <c>TRUTH_PART</c>, only its arithmetic.
/// </summary>
[Trait("Category", "Full")]
public sealed class FullTests(ITestOutputHelper output)
{
    private const int RowsInAPart = 200;

    [Fact]
    public async Task Part_IsToldTruly()
    {
        var all = Plan.Full().GroupBy(r => r.Setting).SelectMany(g => g.Chunk(RowsInAPart)).ToList();
        output.WriteLine($"{all.Sum(p => p.Length)} rows in {all.Count} parts");
        all.Sum(p => p.Length).ShouldBeGreaterThan(Plan.Pairwise().Count);
        if (Environment.GetEnvironmentVariable("TRUTH_PART") is not { Length: > 0 } part)
        {
            return;
        }

        var rows = all[int.Parse(part, System.Globalization.CultureInfo.InvariantCulture) % all.Count];
        var score = await TruthRun.JudgeAsync(rows[0].Setting, [.. rows.Select((r, i) => r.Row with { Number = i + 1 })], $"part{part}");

        var (unknown, _) = KnownUntruths.Apart(score.Findings, Untruths.Known);
        unknown.Where(f => f.Aspect is not (Aspect.Line or Aspect.Figure)).Select(f => f.ToString())
            .ShouldBeEmpty($"TRUTH_PART={part}, in {rows[0].Setting.Name}");
    }

    /// <summary>
    /// Reruns rows to reproduce a rare wrong answer: CI's, or with <c>TRUTH_FULL</c> the full product's, whose note or setting matches
    /// <c>TRUTH_ROWS</c>, each <c>TRUTH_TIMES</c> times in one process. Without <c>TRUTH_ROWS</c> it runs none.
    /// </summary>
    [Fact]
    public async Task Rows_AreToldTruly_WhenTheyAreAskedFor()
    {
        if (Environment.GetEnvironmentVariable("TRUTH_ROWS") is not { Length: > 0 } pattern)
        {
            return;
        }

        var times = int.Parse(Environment.GetEnvironmentVariable("TRUTH_TIMES") ?? "1", System.Globalization.CultureInfo.InvariantCulture);
        var all = Environment.GetEnvironmentVariable("TRUTH_FULL") is { Length: > 0 } ? Plan.Full() : Plan.Pairwise();
        var matching = all.Where(r => Regex.IsMatch($"{r.Row.Note}, {r.Setting.Name}", pattern)).ToList();
        matching.ShouldNotBeEmpty();
        List<string> findings = [];
        foreach (var rows in matching.GroupBy(r => r.Setting, r => r.Row))
        {
            var repeated = Enumerable.Range(0, times).SelectMany(_ => rows).Select((row, i) => row with { Number = i + 1 }).ToList();
            var score = await TruthRun.JudgeAsync(rows.Key, repeated, $"rows-{rows.Key.Folder}");
            findings.AddRange(score.Findings.Select(f => $"{f} in {rows.Key.Name}"));
            output.WriteLine($"{repeated.Count} rows in {rows.Key.Name}: {score.Findings.Count} findings");
        }

        findings.ShouldBeEmpty();
    }
}
