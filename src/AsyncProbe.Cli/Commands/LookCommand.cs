using System.CommandLine;
using System.Text.Json;
using AsyncProbe.Cli.Options;
using AsyncProbe.Cli.Outcomes;
using AsyncProbe.Cli.Server;
using AsyncProbe.Cli.Sessions;
using AsyncProbe.Cli.Stacks;
using AsyncProbe.Cli.Views;

namespace AsyncProbe.Cli.Commands;

/// <summary><c>look</c>: samples the stacks of a process from outside. Nothing is loaded into it.</summary>
internal static class LookCommand
{
    private const int DefaultSeconds = 5;

    public static Command Create(Output output)
    {
        var process = new ProcessArgument();
        var seconds = NumberOption.Create(
            "--seconds", "-s", 1, SessionLimits.Seconds, $"Seconds to sample. Default: {DefaultSeconds}.");
        var json = new Option<bool>("--json") { Description = "Print only JSON to stdout." };
        var files = new Option<string[]>("-o", "--output")
        {
            HelpName = "FILE", Description = "Also write the result to a .json file. Repeatable.",
        };
        var (quiet, noColor) = (CommonOptions.Quiet(), CommonOptions.NoColor());
        var command = new Command(
            "look", "Show the lines where a .NET process blocks its pool threads, without loading anything into it.")
        {
            seconds, json, files, quiet, noColor,
        };
        process.AddTo(command);
        command.SetAction(async (parsed, interrupt) =>
        {
            output.NoColor |= parsed.GetValue(noColor);
            var names = parsed.GetValue(files) ?? [];
            foreach (var file in names)
            {
                Check(file);
            }

            var found = await process.FindAsync(parsed);
            var length = TimeSpan.FromSeconds(parsed.GetValue(seconds) ?? DefaultSeconds);
            if (!parsed.GetValue(quiet))
            {
                await output.Messages.WriteLineAsync($"Looking at {found.Title} for {length.TotalSeconds} s");
            }

            var result = await DedicatedThread.RunAsync(() => new StackLook(found).Take(length, interrupt));
            var text = JsonSerializer.Serialize(result, ResultJson.Readable.LookResult);
            if (parsed.GetValue(json))
            {
                await output.Results.WriteLineAsync(text);
            }
            else
            {
                TerminalLook.Write(result, output.ResultsConsole(), legend: !parsed.GetValue(quiet));
            }

            await OutputFile.WriteAllAsync(names, "result", _ => Task.FromResult(text));
            return interrupt.IsCancellationRequested ? ExitCode.Interrupted : ExitCode.Done;
        });
        return command;
    }

    private static void Check(string file)
    {
        if (!Path.GetExtension(file).Equals(".json", StringComparison.OrdinalIgnoreCase))
        {
            throw new CommandException(ExitCode.Usage, $"-o {file}: the extension must be .json.");
        }

        OutputFile.Check(file);
    }
}
