using AsyncProbe.Cli.Outcomes;
using AsyncProbe.Cli.Thresholds;

namespace AsyncProbe.Cli.Options;

/// <summary>Rejects thresholds on requests that no session has: they would fail regardless of the results.</summary>
internal static class ThresholdNames
{
    private const int MostListed = 10;

    /// <param name="thresholds">What was typed.</param>
    /// <param name="names">The names of all requests.</param>
    public static void Check(IReadOnlyList<Threshold> thresholds, IEnumerable<string> names)
    {
        var known = names.Distinct(StringComparer.OrdinalIgnoreCase).ToList();
        // A server threshold names an endpoint, which may not appear until there is load.
        foreach (var threshold in thresholds.Where(threshold => threshold is { Name: not null, NeedsServer: false }))
        {
            if (!known.Contains(threshold.Name!, StringComparer.OrdinalIgnoreCase))
            {
                var more = known.Count > MostListed ? $" and {known.Count - MostListed} more" : "";
                throw new CommandException(ExitCode.Usage,
                    $"The threshold \"{threshold.Expression}\" is about a request named \"{threshold.Name}\", which the session does not "
                        + "have."
                    + $"{Suggestion.DidYouMean(threshold.Name!, known)} It has: {string.Join(", ", known.Take(MostListed))}{more}.");
            }
        }
    }
}
