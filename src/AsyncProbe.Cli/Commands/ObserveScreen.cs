using AsyncProbe.Cli.Observation;
using AsyncProbe.Cli.Outcomes;
using AsyncProbe.Cli.Statistics;
using AsyncProbe.Cli.Views;
using AsyncProbe.Cli.Views.Documents;

namespace AsyncProbe.Cli.Commands;

/// <summary>The figures so far, on the whole screen or as a single line for logs and pipes.</summary>
internal static class ObserveScreen
{
    /// <summary>The lines of the screen outside its three tables.</summary>
    private const int OtherLines = 10;

    private const int FewestRows = 3;

    public static async Task ShowAsync(Output output, ObservationResult result, Uri? page = null)
    {
        if (!output.IsInteractive)
        {
            await output.Messages.WriteLineAsync(Line(result));
            return;
        }

        using var text = new StringWriter();
        var console = output.MessagesConsole();
        var rows = Math.Clamp((FullScreen.Height(console) - OtherLines) / 3, FewestRows, ObservationDocument.MostRows);
        if (page is not null)
        {
            // This screen covers the line that named it first. A short terminal cuts off the last lines, so it comes first.
            text.WriteLine($"Live page: {page}");
        }

        TerminalDocument.Write(ObservationDocument.Create(result, rows), output.PageConsole(text, console), isQuiet: true);
        FullScreen.Show(console, text.ToString());
    }

    private static string Line(ObservationResult result)
    {
        var worst = result.Endpoints is [{ BlockedThreads: > 0 } row, ..] ? $", most at {row.Endpoint}" : "";
        return $"{FigureText.Rate(result.Seconds),6} "
            + $"s  {FigureText.Rate(result.Endpoints.Sum(endpoint => endpoint.RequestsPerSecond)),8}/s  "
            + $"{FigureText.Ms(result.Endpoints.Sum(endpoint => endpoint.BlockedThreads ?? 0))} threads blocked on average{worst}";
    }
}
