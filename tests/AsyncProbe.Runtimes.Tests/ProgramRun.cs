using AsyncProbe.Packages.Tests;

namespace AsyncProbe.Runtimes.Tests;

/// <summary>The output of AsyncProbe.Runtimes about its tests.</summary>
internal sealed class ProgramRun
{
    private readonly string[] _lines;

    private ProgramRun(string[] lines) => _lines = lines;

    /// <summary>The runtime version that the program detected.</summary>
    public string Runtime => Names("runtime ").First();

    public IReadOnlyList<string> Passed => Names("passed ");

    /// <param name="program">The program.</param>
    /// <param name="environment">Its environment.</param>
    /// <param name="timeout">How long it may take.</param>
    /// <param name="arguments">Its arguments.</param>
    public static async Task<ProgramRun> RunAsync(
        string program, Dictionary<string, string> environment, TimeSpan timeout, params string[] arguments)
    {
        using var process = Commands.Start(Repository.Folder, environment, [program, .. arguments]);
        using var patience = new CancellationTokenSource(timeout);
        try
        {
            var output = process.StandardOutput.ReadToEndAsync(patience.Token);
            var errors = process.StandardError.ReadToEndAsync(patience.Token);
            await process.WaitForExitAsync(patience.Token);
            var text = await output;
            text.ShouldNotBeEmpty(await errors);
            return new([.. text.Split('\n', StringSplitOptions.RemoveEmptyEntries).Select(line => line.TrimEnd('\r'))]);
        }
        finally
        {
            if (!process.HasExited)
            {
                process.Kill(entireProcessTree: true);
            }
        }
    }

    public void ShouldHavePassed()
    {
        var failed = _lines.SkipWhile(line => !line.StartsWith("failed ", StringComparison.Ordinal)).Take(40);
        string.Join('\n', failed).ShouldBeEmpty();
        _lines[^1].ShouldBe("finished");
    }

    private List<string> Names(string outcome) =>
        [.. _lines.Where(line => line.StartsWith(outcome, StringComparison.Ordinal)).Select(line => line[outcome.Length..])];
}
