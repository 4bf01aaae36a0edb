using Spectre.Console;

namespace AsyncProbe.Cli.Tests.Views;

/// <summary>What a view writes to a terminal without colours.</summary>
internal static class Printed
{
    public static string Text(Action<IAnsiConsole> write, int width = 400)
    {
        using var text = new StringWriter();
        var console = AnsiConsole.Create(
            new AnsiConsoleSettings { Ansi = AnsiSupport.No, Interactive = InteractionSupport.No, Out = new AnsiConsoleOutput(text) });
        console.Profile.Width = width;
        write(console);
        return text.ToString();
    }
}
