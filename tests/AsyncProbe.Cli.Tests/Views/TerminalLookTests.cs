using AsyncProbe.Cli.Stacks;
using AsyncProbe.Cli.Views;
using Spectre.Console;

namespace AsyncProbe.Cli.Tests.Views;

[Trait("Category", "Logic")]
public class TerminalLookTests
{
    [Fact]
    public void Table_FitsIntoEightyColumns()
    {
        var text = Write(
            Line("OrderStore.LoadWithEverythingThatBelongsToIt (OrderStore.cs:1044)", threads: 131),
            Line("PriceCache.Refresh (PriceCache.cs:91)", threads: null));

        text.Split('\n').ShouldAllBe(line => line.TrimEnd().Length <= 80);
        text.ShouldContain("OrderStore.LoadWithEverythingThatBelongsToIt (OrderStore.cs:1044)");
        text.ShouldContain("Task.Wait");
    }

    [Fact]
    public void ShareIsNotShown_AfterTooFewHits() =>
        Write(Line("PriceCache.Refresh (PriceCache.cs:91)", threads: null)).ShouldMatch(@"PriceCache\.cs:91\)\s+7,000\s+-\s+3\s+Task\.Wait");

    [Fact]
    public void EmptyTable_IsNotCalledUnblocked() => Write().ShouldContain("wait that look knows");

    private static BlockedLine Line(string at, double? threads) => new()
    {
        At = at, Method = "M", Kind = "Task.Wait", Remedy = "await it instead", Hits = 3, BlockedMs = 7000, Threads = threads,
    };

    private static string Write(params BlockedLine[] lines)
    {
        using var text = new StringWriter();
        var console = AnsiConsole.Create(new AnsiConsoleSettings
        {
            Ansi = AnsiSupport.No, ColorSystem = ColorSystemSupport.NoColors, Out = new AnsiConsoleOutput(text),
        });
        console.Profile.Width = 80;
        TerminalLook.Write(
            new() { SampledMs = 1000, Windows = 10, BusyThreads = 134, BlockedThreads = 131, Lines = lines }, console, legend: true);
        return text.ToString();
    }
}
