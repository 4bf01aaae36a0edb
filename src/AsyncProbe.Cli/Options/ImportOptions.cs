using System.CommandLine;
using AsyncProbe.Cli.Sessions.Import;

namespace AsyncProbe.Cli.Options;

/// <summary>The options for other tools' documents, shared by every command that reads them.</summary>
internal sealed class ImportOptions
{
    private readonly Option<string?> _environment = new("--env")
    {
        HelpName = "NAME|FILE",
        Description = $"For a .http file: the environment in {HttpEnvironment.FileName}. For a Postman collection: the environment's file.",
    };

    private readonly Option<string[]> _operations = new("--operation")
    {
        HelpName = "ID|VERB PATH",
        Description = "For an OpenAPI document: an operation to include in addition to the GETs, such as createOrder "
            + "or \"POST /orders\". Repeatable.",
    };

    public void AddTo(Command command)
    {
        command.Options.Add(_environment);
        command.Options.Add(_operations);
    }

    public ImportSettings Settings(ParseResult parsed) => new()
    {
        Environment = parsed.GetValue(_environment),
        Operations = parsed.GetValue(_operations) ?? [],
    };
}
