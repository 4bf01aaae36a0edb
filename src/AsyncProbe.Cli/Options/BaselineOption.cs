using System.CommandLine;
using AsyncProbe.Cli.Outcomes;
using AsyncProbe.Cli.Sites;
using AsyncProbe.Cli.Thresholds;

namespace AsyncProbe.Cli.Options;

/// <summary>The option that names an earlier result to compare call sites with, shared by the commands that judge thresholds.</summary>
internal sealed class BaselineOption
{
    private readonly Option<string?> _file = new("--baseline")
    {
        HelpName = "SAVED",
        Description = "A result saved earlier. Call sites that it lacks are new, and 'sites.new==0' fails if there are any.",
    };

    public void AddTo(Command command) => command.Options.Add(_file);

    /// <summary>Null without a baseline.</summary>
    public async Task<Baseline?> ReadAsync(ParseResult parsed, IReadOnlyList<Threshold> thresholds, CancellationToken cancellationToken)
    {
        if (parsed.GetValue(_file) is { } file)
        {
            return await BaselineReader.ReadAsync(file, cancellationToken);
        }

        return thresholds.FirstOrDefault(threshold => threshold.Metric == ThresholdMetrics.NewSites) is { } needing
            ? throw new CommandException(
                ExitCode.Usage,
                $"The threshold \"{needing.Expression}\" needs a result to compare with: --baseline SAVED, made before with --save SAVED.")
            : null;
    }
}
