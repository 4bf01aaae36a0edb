using AsyncProbe.Cli.Snapshots;
using Spectre.Console;

namespace AsyncProbe.Cli.Views;

internal static class WatchScreen
{
    /// <summary>The lines of the screen outside its three lists.</summary>
    private const int OtherLines = 14;

    private const int FewestRows = 3;

    private static readonly Style s_dim = new(decoration: Decoration.Dim);

    /// <param name="console">The terminal.</param>
    /// <param name="page">A console of the same size and colours that writes to <paramref name="text"/>.</param>
    /// <param name="text">Receives what is written to the page.</param>
    /// <param name="sentence">Where the snapshot comes from; without one, why there is none.</param>
    /// <param name="snapshot">Null when there is none.</param>
    public static void Show(IAnsiConsole console, IAnsiConsole page, StringWriter text, string sentence, ServerSnapshot? snapshot)
    {
        page.Line($"{sentence}   (q ends)", s_dim);
        if (snapshot is not null)
        {
            var rows = Math.Clamp((FullScreen.Height(console) - OtherLines) / 3, FewestRows, StateReport.MostRows);
            StateReport.Write(snapshot, page, rows, legend: false);
        }

        FullScreen.Show(console, text.ToString());
    }
}
