using System.CommandLine;
using AsyncProbe.Cli.Outcomes;
using AsyncProbe.Cli.Thresholds;

namespace AsyncProbe.Cli.Options;

/// <summary>Reads the thresholds of <c>observe</c>, which can't use client metrics.</summary>
internal static class ObserveThresholds
{
    public static Option<string[]> Option() => new("--threshold")
    {
        HelpName = "EXPR",
        Description = "Repeatable; server metrics over all replicas: 'blocked.avg<5' 'name[GET /orders]:held.avg<50' "
            + "'pool.queuedelay.max<100'. Exit code 99 if one fails.",
    };

    public static IReadOnlyList<Threshold> Parse(IReadOnlyList<string> expressions)
    {
        try
        {
            var thresholds = expressions.Select(text => ThresholdParser.Parse(text, Suggestion.DidYouMean)).ToList();
            return thresholds.Find(threshold => !threshold.NeedsServer) is { } client
                ? throw new CommandException(ExitCode.Usage,
                    $"The threshold \"{client.Expression}\" is about what a client sees, and observe sees the servers only. It "
                        + $"takes {string.Join(", ", ThresholdMetrics.OfServers)}.")
                : thresholds;
        }
        catch (FormatException e)
        {
            throw new CommandException(ExitCode.Usage, e.Message);
        }
    }
}
