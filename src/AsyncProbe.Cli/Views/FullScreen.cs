using Spectre.Console;

namespace AsyncProbe.Cli.Views;

/// <summary>
/// Shows a page on the whole screen. It never has more lines than the terminal; otherwise the first line, which sums up the state, would
/// scroll away at every refresh.
/// </summary>
internal static class FullScreen
{
    private const int FewestLines = 3;

    /// <summary>The maximum number of lines of a page.</summary>
    public static int Height(IAnsiConsole console) => Math.Max(FewestLines, console.Profile.Height - 1);

    /// <summary>Ends the last page's line, so that the next output, such as the shell's prompt, starts on a new line.</summary>
    public static void End(IAnsiConsole console)
    {
        console.Profile.Out.Writer.WriteLine();
        console.Profile.Out.Writer.Flush();
    }

    /// <summary>Removes the page when the result follows in its place. Otherwise the same tables would appear twice.</summary>
    public static void Clear(IAnsiConsole console, bool resultFollows)
    {
        if (resultFollows)
        {
            console.Clear();
        }
        else
        {
            End(console);
        }
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
