using System.CommandLine;
using AsyncProbe.Cli.Sessions.Import;

namespace AsyncProbe.Cli.Commands;

/// <summary>The options about documents of other tools, shared by every command that takes them.</summary>
internal sealed class ImportOptions
{
    private readonly Option<string?> _environment = new("--env")
    {
        HelpName = "NAME|FILE", Description = $"Of a .http file: which values of {HttpEnvironment.FileName} to use. Of a Postman collection: the environment's file.",
    };

    public void AddTo(Command command) => command.Options.Add(_environment);

    public ImportSettings Settings(ParseResult parsed) => new() { Environment = parsed.GetValue(_environment) };
}
