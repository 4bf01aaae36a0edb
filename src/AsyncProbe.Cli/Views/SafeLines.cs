using AsyncProbe.Cli.Sessions;
using Spectre.Console;

namespace AsyncProbe.Cli.Views;

/// <summary>The way a view writes a line to the terminal.</summary>
internal static class SafeLines
{
    public static void Line(this IAnsiConsole console, string text, Style? style = null) => console.WriteLine(SafeText.Lines(text), style ?? Style.Plain);
}
