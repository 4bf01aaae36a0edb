using AsyncProbe.Cli.Observation;
using Spectre.Console;

namespace AsyncProbe.Cli.Views;

/// <summary>What the replicas did: findings first, then the table of endpoints, the lines, and the replicas.</summary>
internal static class TerminalObservation
{
    public const int MostRows = 15;

    private static readonly Style s_dim = new(decoration: Decoration.Dim);
    private static readonly Style s_warning = new(Color.Yellow);

    /// <param name="result">The figures.</param>
    /// <param name="console">Where to write.</param>
    /// <param name="legend">Whether to explain the columns.</param>
    /// <param name="rows">The maximum number of rows in a table.</param>
    public static void Write(ObservationResult result, IAnsiConsole console, bool legend, int rows = MostRows)
    {
        console.Line(ObservationText.Heading(result), new Style(decoration: Decoration.Bold));
        foreach (var warning in ObservationText.Problems(result).Concat(result.Findings).Concat(ObservationText.Odd(result)).Take(rows))
        {
            console.Line("! " + warning, s_warning);
        }

        if (result.Observed == 0)
        {
            return;
        }

        console.WriteLine();
        if (result.Endpoints.Count == 0)
        {
            console.Line("The servers counted no request in this time.", s_dim);
        }
        else
        {
            Write(ObservationText.EndpointColumns, result.Endpoints.Take(rows).Select(ObservationText.Row), console, legend);
            foreach (var sentence in ObservationText.EndpointLegend(result).Where(_ => legend))
            {
                console.Line(sentence, s_dim);
            }
        }

        if (result.Sites.Count > 0)
        {
            console.WriteLine();
            Write(ObservationText.SiteColumns, result.Sites.Take(rows).Select(ObservationText.Row), console, legend);
            if (legend && ObservationText.HasBothMeans(result))
            {
                console.Line(ServerText.LineMeansLegend, s_dim);
            }

            if (legend && result.Sites.Any(site => site.Sampled))
            {
                console.Line(ServerText.SamplesLegend, s_dim);
            }

            if (legend && ObservationText.HasPartial(result))
            {
                console.Line(ServerText.PartialLegend, s_dim);
            }
        }

        console.WriteLine();
        // Show the worst first: if there are many replicas, the others are much alike.
        var worst = result.Replicas.OrderBy(replica => replica.IsObserved).ThenByDescending(replica => replica.Server.QueueDelayMaxMs ?? 0);
        Write(ObservationText.ReplicaColumns, worst.Take(rows).Select(ObservationText.Row), console, legend);
        if (legend && result.Replicas.Count > rows)
        {
            console.Line($"{result.Replicas.Count - rows} more replicas, with shorter queue delays: all are in -o report.html.", s_dim);
        }

        TerminalReport.WriteThresholds(result.Thresholds, console);
    }

    private static void Write(IReadOnlyList<TextColumn> columns, IEnumerable<string[]> rows, IAnsiConsole console, bool legend)
    {
        var table = new FittedTable([.. columns]);
        foreach (var row in rows)
        {
            table.Add(row);
        }

        table.Write(console, legend);
    }
}
