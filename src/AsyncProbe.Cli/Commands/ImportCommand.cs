using System.CommandLine;
using AsyncProbe.Cli.Options;
using AsyncProbe.Cli.Outcomes;
using AsyncProbe.Cli.Sessions;
using AsyncProbe.Cli.Sessions.Import;
using AsyncProbe.Cli.Statistics;

namespace AsyncProbe.Cli.Commands;

/// <summary><c>import</c>: converts another tool's document to a session that WebSurge opens.</summary>
internal static class ImportCommand
{
    public static Command Create(Output output)
    {
        var file = new Argument<string>("file") { Description = $"A {ImportFormats.Names}; or the URL of one in JSON." };
        var target = new Option<string>("--output", "-o")
        {
            HelpName = "FILE",
            Required = true,
            Description = "The session to write, such as orders.websurge.",
        };
        var options = new ImportOptions();
        var withSecrets = new Option<bool>("--with-secrets")
        {
            Description = "Also write tokens, cookies and passwords. Otherwise they become {{placeholders}}.",
        };
        var command = new Command(
            "import", "Convert another tool's document to a WebSurge session. run, compare and check also read such documents directly.")
        {
            file, target, withSecrets,
        };
        options.AddTo(command);
        command.SetAction(async (parsed, cancellationToken) =>
        {
            var source = parsed.GetRequiredValue(file);
            SessionSource.Check(source);
            var session = SessionFile.IsUrl(source)
                ? await Importer.FetchAsync(source, options.Settings(parsed), cancellationToken)
                : await SessionFile.LoadAsync(source, options.Settings(parsed), cancellationToken);
            if (!session.Imported)
            {
                throw new CommandException(ExitCode.Usage, $"import reads a {ImportFormats.Names}, and {source} is none.");
            }

            foreach (var sentence in ImportNotes.Describe(session))
            {
                await output.Messages.WriteLineAsync(sentence);
            }

            if (session.Errors.Any())
            {
                await output.Messages.WriteLineAsync("Nothing was written.");
                return ExitCode.Usage;
            }

            var (safe, names) = parsed.GetValue(withSecrets) ? (session, []) : SecretPlaceholders.Replace(session);
            await OutputFile.WriteAsync(parsed.GetRequiredValue(target), "session", SessionWriter.Write(SavedBodies.Prepare(safe)));
            await output.Messages.WriteLineAsync(
                $"{FigureText.Count(session.Requests.Count, "request")} written "
                    + $"to {parsed.GetRequiredValue(target)}.{Placeholders(names)}");
            return ExitCode.Done;
        });
        return command;
    }

    private static string Placeholders(IReadOnlyList<string> names) => names.Count == 0 ? ""
        : $" Secrets became placeholders ({string.Join(", ", names.Select(name => $"{{{{{name}}}}}"))}): give them values in the "
            + "session's SessionVariables, or import --with-secrets.";
}
