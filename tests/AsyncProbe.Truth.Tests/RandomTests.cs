using System.Globalization;
using AsyncProbe.Truth.Tests.Generator;
using FsCheck;
using FsCheck.Fluent;
using Xunit.Abstractions;

namespace AsyncProbe.Truth.Tests;

/// <summary>
/// Random rows, different in every run. CI skips them: it must not reject a change because of an older fault.
/// </summary>
[Trait("Category", "Full")]
public sealed class RandomTests(ITestOutputHelper output)
{
    private const int Rows = 24;

    private static Gen<Row> AnyRow { get; } =
        from shape in Gen.Elements<Shape>(Shapes.All)
        from position in Gen.Elements<Position>(Position.All)
        from wait in Gen.Elements<Wait>(Waits.All)
        from style in Gen.Elements(Style.Clocked, Style.Bare)
        from temperature in Gen.Elements(Temperature.Cold, Temperature.Warm)
        from clients in Gen.Elements(1, 4, 32)
        select new Row(0, shape, position, wait, style, temperature, clients);

    /// <summary>With <c>TRUTH_SEED</c> it runs the rows of an earlier run again.</summary>
    [Fact]
    public async Task RandomEndpoints_AreToldTruly()
    {
        var seed = Environment.GetEnvironmentVariable("TRUTH_SEED") is { Length: > 0 } given
            ? ulong.Parse(given, CultureInfo.InvariantCulture)
            : (ulong)Random.Shared.NextInt64();
        output.WriteLine($"TRUTH_SEED={seed}");
        var drawn = AnyRow.Where(r => r.IsPossible).Sample(Rows, new Rnd(seed), Rows);
        var setting = RuntimeSetting.All[(int)(seed % (ulong)RuntimeSetting.All.Count)];
        var rows = drawn.Select((r, i) => r with { Number = i + 1 }).ToList();

        var score = await TruthRun.JudgeAsync(setting, rows, "random");

        var (unknown, _) = KnownUntruths.Apart(score.Findings, Untruths.Known);
        output.WriteLine(string.Join('\n', score.Findings));
        var unlisted = unknown.Where(f => f.Aspect is not (Aspect.Line or Aspect.Figure)).Select(f => f.ToString()).ToList();
        unlisted.Count.ShouldBeLessThanOrEqualTo(
            KnownUntruths.UnlistedByChance, $"TRUTH_SEED={seed}, in {setting.Name}\n{string.Join('\n', unlisted)}");
    }
}
