using System.Diagnostics;

namespace AsyncProbe.Cli.Integration.Tests.Views;

/// <summary>Colours are only for a terminal, and only if the user hasn't turned them off.</summary>
public sealed class TerminalColorTests : IDisposable
{
    private const string Yellow = "\u001b[38;5;11m";

    private static readonly TimeSpan s_timeout = TimeSpan.FromMinutes(1);

    private readonly TemporaryFolder _folder = new();

    [Theory]
    [InlineData(null, true)]
    [InlineData("", true)]
    [InlineData("1", false)]
    public async Task Warning_IsYellowInATerminal_UnlessNoColorSaysSomething(string? noColor, bool isYellow)
    {
        // `script` gives the command a terminal.
        var output = await RunAsync("script", ["-qec", $"dotnet '{Tool}' check '{Relative}'", "/dev/null"], noColor);

        output.ShouldContain("warning");
        output.Contains(Yellow, StringComparison.Ordinal).ShouldBe(isYellow, output);
    }

    [Fact]
    public async Task RedirectedOutput_HasNoEscapes()
    {
        var output = await RunAsync("dotnet", [Tool, "check", Relative], noColor: null);

        output.ShouldContain("warning");
        output.ShouldNotContain('\u001b');
    }

    public void Dispose() => _folder.Dispose();

    private static string Tool { get; } = Path.Combine(AppContext.BaseDirectory, "asyncprobe.dll");

    private string Relative => _folder.Write("relative.websurge", "GET / HTTP/1.1\n");

    private static async Task<string> RunAsync(string program, string[] arguments, string? noColor)
    {
        var start = new ProcessStartInfo(program, arguments) { RedirectStandardOutput = true };
        start.Environment["TERM"] = "xterm-256color";
        start.Environment["NO_COLOR"] = noColor;
        using var process = Process.Start(start)!;
        var output = process.StandardOutput.ReadToEndAsync();
        await process.WaitForExitAsync().WaitAsync(s_timeout);
        return await output;
    }
}
