using System.CommandLine;
using System.Runtime.InteropServices;
using AsyncProbe.Cli.Outcomes;
using AsyncProbe.Cli.Server;
using AsyncProbe.Cli.Sessions;

namespace AsyncProbe.Cli.Commands;

/// <summary>Parses the command line, runs one command, and turns every error into a sentence and an exit code.</summary>
internal static class CommandLine
{
    public static async Task<int> RunAsync(string[] args, Output output)
    {
        using var interrupt = new CancellationTokenSource();
        using var sigint = PosixSignalRegistration.Create(PosixSignal.SIGINT, Interrupt);
        using var sigterm = PosixSignalRegistration.Create(PosixSignal.SIGTERM, Interrupt);
        return await RunAsync(args, output, interrupt.Token);

        void Interrupt(PosixSignalContext context)
        {
            // The first signal ends the run and prints what was measured; the second ends the process.
            context.Cancel = !interrupt.IsCancellationRequested;
            interrupt.Cancel();
        }
    }

    public static async Task<int> RunAsync(string[] args, Output output, CancellationToken cancellationToken)
    {
        var root = Create(output);
        var parsed = root.Parse(args);
        if (parsed.Errors.Count > 0)
        {
            await output.Messages.WriteLineAsync(UsageErrors.Describe(parsed));
            return ExitCode.Usage;
        }

        try
        {
            // Signals are handled above, so that an interrupted run still prints its figures.
            return await parsed.InvokeAsync(
                new()
                {
                    Output = output.Results,
                    Error = output.Messages,
                    EnableDefaultExceptionHandler = false,
                    ProcessTerminationTimeout = null,
                },
                cancellationToken);
        }
        catch (Exception e) when (e is SessionException or CommandException or ProcessException)
        {
            await output.Messages.WriteLineAsync(e.Message);
            return e switch
            {
                CommandException command => command.ExitCode,
                ProcessException => ExitCode.NothingMeasured,
                _ => ExitCode.Usage,
            };
        }
        catch (OperationCanceledException)
        {
            return ExitCode.Interrupted;
        }
    }

    /// <summary>All commands with their options.</summary>
    public static RootCommand Create(Output output)
    {
        var root = new RootCommand("Runs .websurge load sessions, and shows the client's and the server's figures in one report.")
        {
            RunCommand.Create(output),
            CompareCommand.Create(output),
            CheckCommand.Create(output),
            ImportCommand.Create(output),
            ExportCommand.Create(output),
            WatchCommand.Create(output),
            ReportCommand.Create(output),
            ObserveCommand.Create(output),
            PsCommand.Create(output),
            LookCommand.Create(output),
            AttachCommand.Create(output),
            DetachCommand.Create(output),
            StartCommand.Create(output),
        };
        GrammarHelp.Install(root, output);
        return root;
    }
}
