using AsyncProbe.Cli.Sessions;
using Spectre.Console;

namespace AsyncProbe.Cli.Views;

/// <summary>Writes a line of text to the terminal after making it safe.</summary>
internal static class SafeLines
{
    public static void Line(this IAnsiConsole console, string text, Style? style = null) =>
        console.WriteLine(SafeText.Lines(text), style ?? Style.Plain);
}
