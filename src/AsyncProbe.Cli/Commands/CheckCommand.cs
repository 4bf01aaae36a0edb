using System.CommandLine;
using AsyncProbe.Cli.Options;
using AsyncProbe.Cli.Outcomes;
using AsyncProbe.Cli.Sessions;
using AsyncProbe.Cli.Sessions.Import;
using AsyncProbe.Cli.Views;

namespace AsyncProbe.Cli.Commands;

/// <summary><c>check</c>: parses sessions and lists their requests and diagnostics. It sends nothing.</summary>
internal static class CheckCommand
{
    public static Command Create(Output output)
    {
        var sessions = new Argument<string[]>("session")
        {
            Arity = ArgumentArity.OneOrMore,
            Description = "Session files (.websurge, or documents that import reads).",
        };
        var import = new ImportOptions();
        var noColor = CommonOptions.NoColor();
        var command = new Command("check", "Check sessions without sending anything: list their requests, and warn with file and line.")
        {
            sessions, noColor,
        };
        import.AddTo(command);
        command.SetAction(async (parsed, cancellationToken) =>
        {
            output.NoColor |= parsed.GetValue(noColor);
            var exitCode = ExitCode.Done;
            foreach (var source in parsed.GetRequiredValue(sessions))
            {
                exitCode = Math.Max(exitCode, await CheckAsync(source, import.Settings(parsed), output, cancellationToken));
            }

            return exitCode;
        });
        return command;
    }

    private static async Task<int> CheckAsync(string source, ImportSettings import, Output output, CancellationToken cancellationToken)
    {
        try
        {
            SessionSource.Check(source);
            var session = await SessionFile.LoadAsync(source, import, cancellationToken);
            SessionListing.Write(session, output.ResultsConsole());
            return session.Errors.Any() ? ExitCode.Usage : ExitCode.Done;
        }
        catch (Exception e) when (e is SessionException or CommandException)
        {
            await output.Messages.WriteLineAsync(e.Message);
            return ExitCode.Usage;
        }
    }
}
