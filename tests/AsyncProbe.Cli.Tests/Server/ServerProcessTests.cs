using System.Globalization;
using AsyncProbe.Cli.Server;

namespace AsyncProbe.Cli.Tests.Server;

[SideBySide]
public sealed class ServerProcessTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData("sh FOLDER/server.sh")]
    [InlineData("NAME=value sh FOLDER/server.sh")]
    [InlineData("cd FOLDER && sh server.sh")]
    [InlineData("sh FOLDER/server.sh | cat")]
    [InlineData("sh FOLDER/server.sh; true")]
    public async Task Server_StartsAndIsAskedToEnd_WhateverTheCommandLineIs(string command)
    {
        var pid = await RunAsync(command, "exit");

        File.Exists(_folder.File("asked")).ShouldBeTrue();
        Runs(pid).ShouldBeFalse();
    }

    [Fact]
    public async Task Server_IsKilled_WhenItDoesNotEndAlthoughItsShellDoes() =>
        Runs(await RunAsync("sh FOLDER/server.sh; true", "true")).ShouldBeFalse();

    /// <returns>The server's number.</returns>
    private async Task<int> RunAsync(string command, string whenAsked)
    {
        _folder.Write("server.sh", $"""
            cd "$(dirname "$0")"
            trap 'touch asked; {whenAsked}' TERM
            echo $$ > number && mv number started
            while true; do sleep 0.05; done
            """);
        await using (await ServerProcess.StartAsync(command.Replace("FOLDER", _folder.Path, StringComparison.Ordinal), [], default))
        {
            await Eventually.TrueAsync(() => File.Exists(_folder.File("started")), "the server has not started");
        }

        return int.Parse(await File.ReadAllTextAsync(_folder.File("started")), CultureInfo.InvariantCulture);
    }

    private static bool Runs(int pid) => LinuxProcess.Find(pid) is { HasEnded: false };
}
