using AsyncProbe.Truth.Tests.Generator;
using Xunit.Abstractions;

namespace AsyncProbe.Truth.Tests;

/// <summary>Compares what AsyncProbe says about endpoints with what is true of them by construction.</summary>
public sealed class TruthTests(ITestOutputHelper output, TruthResults results) : IClassFixture<TruthResults>
{
    public static TheoryData<string> OtherSettings => [.. RuntimeSetting.All.Select(s => s.Name).Except([Informed, Shipped])];

    // The most that AsyncProbe can know: the hook on every request, and snapshots.
    private const string Informed = "Release, Development, snapshots";

    // The least: few requests are watched, and lines come from precompiled code.
    private const string Shipped = "Release, Production, ReadyToRun";

    [Theory]
    [InlineData(Informed)]
    [InlineData(Shipped)]
    public Task Endpoints_AreToldTruly(string setting) => ShouldBeToldTrulyAsync(setting);

    [Theory]
    [MemberData(nameof(OtherSettings))]
    [Trait("Category", "Full")]
    public Task Endpoints_AreToldTruly_InOtherSettings(string setting) => ShouldBeToldTrulyAsync(setting);

    private async Task ShouldBeToldTrulyAsync(string setting)
    {
        var score = await results.OfAsync(setting);

        var (unknown, _) = KnownUntruths.Apart(score.Findings, Untruths.Known);
        output.WriteLine(string.Join('\n', score.Findings));
        var unlisted = unknown.Where(f => f.Aspect is not (Aspect.Line or Aspect.Figure)).Select(f => f.ToString()).ToList();
        unlisted.Count.ShouldBeLessThanOrEqualTo(KnownUntruths.UnlistedByChance, string.Join('\n', unlisted));
    }

    [Fact]
    [Trait("Category", "Full")]
    public async Task Endpoints_AreToldTruly_InAllSettingsTogether()
    {
        var score = await results.OfAllAsync();

        foreach (var line in Accuracy.Summary(score))
        {
            output.WriteLine(line);
        }

        var (_, mended) = KnownUntruths.Apart(score.Findings, Untruths.Known);
        mended.Select(m => $"{m.Aspect} of {m.Endpoints} is right now: strike it from the known untruths.").ShouldBeEmpty();
        Enum.GetValues<Aspect>().ShouldAllBe(aspect => score.Checked(aspect) > 0, "or a share means nothing");
        score.Right(Aspect.Line).ShouldBeGreaterThanOrEqualTo(0.95);
        score.Right(Aspect.Method).ShouldBeGreaterThanOrEqualTo(0.99);
        score.Right(Aspect.Verdict).ShouldBeGreaterThanOrEqualTo(0.98);
        score.Right(Aspect.Kind).ShouldBeGreaterThanOrEqualTo(0.98);
        score.Right(Aspect.FalseAlarm).ShouldBeGreaterThanOrEqualTo(0.98);
        score.Right(Aspect.Site).ShouldBeGreaterThanOrEqualTo(0.98);
        score.Right(Aspect.Contradiction).ShouldBeGreaterThanOrEqualTo(0.99);

        // If the machine stalls after one side has read its clocks and before the other has, neither side is at fault.
        score.Right(Aspect.Figure).ShouldBeGreaterThanOrEqualTo(0.99);
        Accuracy.Write(score);
    }

    [Fact]
    public void Accuracy_IsToldOfEverySettingAndStatementAndUntruth()
    {
        var text = File.ReadAllText(Path.Combine(Repository.Folder, "docs", "accuracy.md"));

        foreach (var needed in Accuracy.Needed())
        {
            text.ShouldContain(needed);
        }
    }

    [Fact]
    public void EveryRow_Compiles() => ShouldCompile(RuntimeSetting.All.First(s => !s.IsPrecompiled));

    [Fact]
    [Trait("Category", "Full")]
    public void EveryRow_Compiles_ToMachineCode() => ShouldCompile(RuntimeSetting.All.First(s => s.IsPrecompiled));

    private static void ShouldCompile(RuntimeSetting setting)
    {
        var number = 0;
        var rows = (from shape in Shapes.All
                    from position in Position.All
                    from wait in Waits.All
                    let row = new Row(0, shape, position, wait, Style.Clocked, Temperature.Cold, 1)
                    where row.IsPossible && (position == Position.All[0] || wait == Waits.All[0] || shape == Shapes.All[0])
                    select row with { Number = ++number }).ToList();

        RowCompiler.Compile(rows, setting, Path.Combine(TruthRun.Folder, "all"));
        rows.Select(r => RowSource.LineOf(r)).ShouldAllBe(line => line > 0);
    }

    [Fact]
    public void Rows_HoldEveryPieceAndAreAtLeastEighty()
    {
        var rows = Plan.Pairwise();

        output.WriteLine(
            $"{rows.Count} rows: {string.Join(", ", rows.GroupBy(r => r.Setting.Name).Select(g => $"{g.Count()} in {g.Key}"))}");
        rows.Count.ShouldBeGreaterThanOrEqualTo(80);
        rows.Select(r => r.Row.Wait.Name).Distinct().Count().ShouldBe(Waits.All.Count);
        rows.Select(r => r.Row.Shape.Name).Distinct().Count().ShouldBe(Shapes.All.Count);
    }
}
