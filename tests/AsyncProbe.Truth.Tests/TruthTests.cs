using AsyncProbe.Truth.Tests.Generator;
using Xunit.Abstractions;

namespace AsyncProbe.Truth.Tests;

/// <summary>What AsyncProbe says of endpoints whose truth is known by construction.</summary>
public sealed class TruthTests(ITestOutputHelper output)
{
    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    [InlineData(5)]
    [InlineData(6)]
    public async Task Endpoints_AreJudgedTruly(int setting)
    {
        var rows = Plan.Small(setting, 30);
        var score = await TruthRun.JudgeAsync(RuntimeSetting.All[setting], rows, $"setting{setting}");

        output.WriteLine(string.Join('\n', score.Findings));
        score.Findings.Select(f => $"{f} ({rows.FirstOrDefault(r => r.Endpoint == f.Endpoint)?.Note})").ShouldBeEmpty();
    }

    [Fact]
    public void EveryRow_Compiles()
    {
        var number = 0;
        var rows = (from shape in Shapes.All
                    from position in Position.All
                    from wait in Waits.All
                    let row = new Row(0, shape, position, wait, Style.Clocked, Temperature.Cold, 1)
                    where row.IsPossible && (position == Position.All[0] || wait == Waits.All[0] || shape == Shapes.All[0])
                    select row with { Number = ++number }).ToList();

        RowCompiler.Compile(rows, isOptimized: true, Path.Combine(TruthRun.Folder, "all"));
        rows.Select(r => RowSource.LineOf(r)).ShouldAllBe(line => line > 0);
    }
}
