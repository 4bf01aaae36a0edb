using System.CommandLine;
using AsyncProbe.Cli.Outcomes;

namespace AsyncProbe.Cli.Options;

/// <summary>The options that show call sites at their source lines, shared by all commands that have a result.</summary>
internal sealed class FindingOptions
{
    private readonly Option<string?> _annotate = new("--annotate")
    {
        HelpName = "github",
        Description = "Print a workflow command for each line that blocked. GitHub shows it at that line of a pull request.",
    };

    private readonly Option<string?> _sources = new("--sources")
    {
        HelpName = "FOLDER",
        Description = "The folder of the server's sources, for --annotate and .sarif. Default: the working directory's repository.",
    };

    public void AddTo(Command command)
    {
        command.Options.Add(_annotate);
        command.Options.Add(_sources);
    }

    public FindingTarget Target(ParseResult parsed)
    {
        var annotate = parsed.GetValue(_annotate);
        if (annotate is not (null or "github"))
        {
            throw new CommandException(ExitCode.Usage, $"--annotate is \"{annotate}\"; it takes github.");
        }

        var sources = parsed.GetValue(_sources);
        return sources is null || Directory.Exists(sources)
            ? new FindingTarget(annotate is not null, sources)
            : throw new CommandException(ExitCode.Usage, $"--sources {sources}: there is no such folder.");
    }
}
