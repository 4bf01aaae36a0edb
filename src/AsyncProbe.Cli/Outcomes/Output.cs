using AsyncProbe.Cli.Sessions;
using AsyncProbe.Cli.Views;
using Spectre.Console;

namespace AsyncProbe.Cli.Outcomes;

/// <summary>Where a command writes: results to stdout, progress and errors to stderr.</summary>
internal sealed class Output(TextWriter results, TextWriter messages, bool resultsAreTerminal, bool messagesAreTerminal)
{
    /// <summary>Without a terminal, lines must not be wrapped, so that one log line stays one line.</summary>
    private const int RedirectedWidth = 400;

    public TextWriter Results { get; } = new SafeWriter(results, SafeText.Printable);

    public TextWriter Messages { get; } = new SafeWriter(
        messages, messagesAreTerminal ? text => WordWrap.Apply(SafeText.Lines(text), Console.WindowWidth) : SafeText.Lines);

    public bool ResultsAreTerminal => resultsAreTerminal;

    /// <summary>The width of the results' terminal, for tests; null to ask the terminal.</summary>
    public int? ResultsWidth { get; init; }

    public bool NoColor { get; set; } = !string.IsNullOrEmpty(Environment.GetEnvironmentVariable("NO_COLOR"));

    /// <summary>Whether a user can watch and press keys.</summary>
    public bool IsInteractive => messagesAreTerminal && !Console.IsInputRedirected && Environment.GetEnvironmentVariable("TERM") != "dumb";

    public static Output ForConsole()
    {
        // An empty value means no request (no-color.org), but Spectre.Console checks only whether the variable exists.
        if (Environment.GetEnvironmentVariable("NO_COLOR") is "")
        {
            Environment.SetEnvironmentVariable("NO_COLOR", null);
        }

        return new(Console.Out, Console.Error, !Console.IsOutputRedirected, !Console.IsErrorRedirected);
    }

    /// <returns>The exit code.</returns>
    public async Task<int> ExplainAsync((int Code, string? Why) decision)
    {
        if (decision.Why is { } why)
        {
            await Messages.WriteLineAsync(why);
        }

        return decision.Code;
    }

    public IAnsiConsole ResultsConsole() => Create(results, resultsAreTerminal);

    /// <summary>Creates a page with the width and colours of the terminal that will show it.</summary>
    public IAnsiConsole PageConsole(TextWriter page, IAnsiConsole terminal)
    {
        var (console, shown) = (Create(page, terminal: true), terminal.Profile);
        console.Profile.Width = shown.Width;
        console.Profile.Height = shown.Height;
        console.Profile.Capabilities.Ansi = shown.Capabilities.Ansi;
        console.Profile.Capabilities.ColorSystem = shown.Capabilities.ColorSystem;
        return console;
    }

    public IAnsiConsole MessagesConsole() => Create(messages, messagesAreTerminal);

    private IAnsiConsole Create(TextWriter writer, bool terminal)
    {
        var console = AnsiConsole.Create(new AnsiConsoleSettings
        {
            Ansi = terminal ? AnsiSupport.Detect : AnsiSupport.No,
            ColorSystem = NoColor || !terminal ? ColorSystemSupport.NoColors : ColorSystemSupport.Detect,
            Interactive = terminal ? InteractionSupport.Detect : InteractionSupport.No,
            Out = new AnsiConsoleOutput(writer),
        });
        if (!terminal)
        {
            console.Profile.Width = RedirectedWidth;
        }

        console.Pipeline.Attach(new SafeRendering());
        return console;
    }
}
