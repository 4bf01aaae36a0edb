using System.Text.Json.Nodes;
using AsyncProbe.Cli.Commands;
using AsyncProbe.Cli.Outcomes;

namespace AsyncProbe.Cli.Tests;

/// <summary>Runs the whole command in this process, as a shell would, and captures its output as strings.</summary>
internal sealed record Tool(int ExitCode, string Results, string Messages)
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    public JsonNode Json => JsonNode.Parse(Results)!;

    public static Task<Tool> RunAsync(params string[] args) => RunAsync(CancellationToken.None, args);

    public static async Task<Tool> RunAsync(CancellationToken interrupt, params string[] args)
    {
        using var results = new StringWriter();
        using var messages = new StringWriter();
        var output = new Output(results, messages, resultsAreTerminal: false, messagesAreTerminal: false);
        var exitCode = await Task.Run(() => CommandLine.RunAsync(args, output, interrupt), CancellationToken.None)
            .WaitAsync(Patience, CancellationToken.None);
        return new(exitCode, results.ToString(), messages.ToString());
    }
}
