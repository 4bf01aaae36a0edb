using System.CommandLine;
using System.Text.Json;
using AsyncProbe.Cli.Observation;
using AsyncProbe.Cli.Server;
using AsyncProbe.Cli.Sites;
using AsyncProbe.Cli.Views;

namespace AsyncProbe.Cli.Outcomes;

/// <summary>The files that <c>report</c> writes.</summary>
internal sealed class StateFiles
{
    private readonly Option<string[]> _files = new("-o", "--output")
    {
        HelpName = "FILE",
        Description = "Also write the call sites to a file: .json, for a later --baseline, or .sarif; "
            + "or blocked time by stack: .speedscope.json or .collapsed. Repeatable.",
    };

    public void AddTo(Command command) => command.Options.Add(_files);

    /// <summary>Checks everything that could go wrong before sending a request to the server.</summary>
    public IReadOnlyList<string> Check(ParseResult parsed)
    {
        var files = parsed.GetValue(_files) ?? [];
        foreach (var file in files)
        {
            if (!IsKnown(file))
            {
                throw new CommandException(
                    ExitCode.Usage, $"-o {file}: the extension must be .json, .sarif, .speedscope.json or .collapsed.");
            }

            OutputFile.Check(file);
        }

        return files;
    }

    public static Task WriteAsync(
        IReadOnlyList<string> files, StateResult state, IReadOnlyList<Finding> findings, ServerReport source,
        CancellationToken cancellationToken) => OutputFile.WriteAllAsync(
            files, "result",
            async file => ProfileFormat.Find(file) is { } format ? await ReadProfileAsync(source, format, cancellationToken)
                : ResultFile.IsSarif(file) ? SarifReport.Create(findings)
                : JsonSerializer.Serialize(state, ResultJson.Readable.StateResult));

    private static bool IsKnown(string file) =>
        ProfileFormat.Find(file) is not null || ResultFile.IsSarif(file)
        || Path.GetExtension(file).Equals(".json", StringComparison.OrdinalIgnoreCase);

    private static async Task<string> ReadProfileAsync(ServerReport source, ProfileFormat format, CancellationToken cancellationToken)
    {
        var (text, problem) = await source.ReadProfileAsync(format, cancellationToken);
        return text ?? throw new CommandException(ExitCode.NothingMeasured, problem!);
    }
}
