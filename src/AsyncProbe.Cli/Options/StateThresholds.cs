using AsyncProbe.Cli.Outcomes;
using AsyncProbe.Cli.Thresholds;

namespace AsyncProbe.Cli.Options;

/// <summary>Reads the thresholds of <c>report</c>, which sees a single moment and no load.</summary>
internal static class StateThresholds
{
    public static IReadOnlyList<Threshold> Parse(IReadOnlyList<string> expressions)
    {
        try
        {
            var thresholds = expressions.Select(text => ThresholdParser.Parse(text, Suggestion.DidYouMean)).ToList();
            return thresholds.Find(threshold => threshold.Metric != ThresholdMetrics.NewSites) is { } other
                ? throw new CommandException(ExitCode.Usage,
                    $"The threshold \"{other.Expression}\" is about a run, and report sees one moment only. "
                    + $"It takes {ThresholdMetrics.NewSites}; run and observe take the others.")
                : thresholds;
        }
        catch (FormatException e)
        {
            throw new CommandException(ExitCode.Usage, e.Message);
        }
    }
}
