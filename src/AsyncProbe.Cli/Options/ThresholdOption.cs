using System.CommandLine;
using AsyncProbe.Cli.Outcomes;
using AsyncProbe.Cli.Thresholds;

namespace AsyncProbe.Cli.Options;

/// <summary>The option for conditions on the figures.</summary>
internal sealed class ThresholdOption : Option<string[]>
{
    private readonly Func<Threshold, string?> _problem;

    /// <param name="description">What the command takes.</param>
    /// <param name="problem">Why the command can't judge a threshold; null if it can.</param>
    public ThresholdOption(string description, Func<Threshold, string?> problem)
        : base("--threshold")
    {
        HelpName = "EXPR";
        Description = $"{description} Exit code 99 if one fails.";
        _problem = problem;
    }

    /// <summary>For commands that see no client.</summary>
    public static ThresholdOption OfServers() => new(
        "Repeatable; server metrics over all replicas: 'blocked.avg<5' 'name[GET /orders]:held.avg<50' 'pool.queuedelay.max<100'.",
        threshold => threshold.NeedsServer ? null
            : $"The threshold \"{threshold.Expression}\" is about what a client sees, and observe sees the servers only. It takes "
                + $"{string.Join(", ", ThresholdMetrics.OfServers)}.");

    public IReadOnlyList<Threshold> Read(ParseResult parsed)
    {
        try
        {
            var thresholds = (parsed.GetValue(this) ?? []).Select(text => ThresholdParser.Parse(text, Suggestion.Nearest)).ToList();
            return thresholds.Select(_problem).FirstOrDefault(problem => problem is not null) is { } problem
                ? throw new CommandException(ExitCode.Usage, problem)
                : thresholds;
        }
        catch (FormatException e)
        {
            throw new CommandException(ExitCode.Usage, e.Message);
        }
    }
}
