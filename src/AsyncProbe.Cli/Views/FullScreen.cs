using Spectre.Console;

namespace AsyncProbe.Cli.Views;

/// <summary>
/// Shows a page on the whole screen. It never has more lines than the terminal: otherwise the first one, which says how things are, would
/// scroll away at every look.
/// </summary>
internal static class FullScreen
{
    private const int FewestLines = 3;

    /// <summary>The lines that a page may have.</summary>
    public static int Height(IAnsiConsole console) => Math.Max(FewestLines, console.Profile.Height - 1);

    /// <summary>After the last page: what is printed next, such as the shell's prompt, begins a line.</summary>
    public static void End(IAnsiConsole console)
    {
        console.Profile.Out.Writer.WriteLine();
        console.Profile.Out.Writer.Flush();
    }

    public static void Show(IAnsiConsole console, string page)
    {
        var lines = page.ReplaceLineEndings("\n").TrimEnd('\n').Split('\n');
        var height = Height(console);
        if (lines.Length > height)
        {
            lines = [.. lines.Take(height - 1), $"… {lines.Length - height + 1} more lines: make the window taller"];
        }

        console.Clear();
        console.Profile.Out.Writer.Write(string.Join(Environment.NewLine, lines));
        console.Profile.Out.Writer.Flush();
    }
}
