using System.Diagnostics;

namespace AsyncProbe.Cli.Tests.Server;

/// <summary>The command sets a variable for its own sockets, which would change how those of a server work.</summary>
[SideBySide]
public class ChildEnvironmentTests
{
    private const string Variable = "DOTNET_SYSTEM_NET_SOCKETS_INLINE_COMPLETIONS";

    [Theory]
    [InlineData("start --", null)]
    [InlineData("start --", "1")]
    [InlineData("run URL --server --", null)]
    [InlineData("run URL --server --", "1")]
    [InlineData("run URL --server", null)]
    [InlineData("run URL --server", "1")]
    public async Task Child_HasTheVariable_OnlyIfTheUserHasSetIt(string command, string? set)
    {
        using var folder = new TemporaryFolder();
        using var nobody = new RefusingPort();
        var script = folder.Write("child.sh", $"echo \"<${Variable}>\" > {folder.File("seen")}");
        string[] child = command.EndsWith("--", StringComparison.Ordinal) ? ["sh", script] : ["sh " + script];
        var start = new ProcessStartInfo(
            "dotnet", [AsyncProbeCommand.Program, .. command.Replace("URL", nobody.Url, StringComparison.Ordinal).Split(' '), .. child])
        {
            RedirectStandardError = true,
        };
        start.Environment[Variable] = set;

        using var tool = Process.Start(start)!;
        var messages = await tool.StandardError.ReadToEndAsync().WaitAsync(Eventually.Timeout);

        (await File.ReadAllTextAsync(folder.File("seen"))).ShouldBe($"<{set}>\n", messages);
    }
}
