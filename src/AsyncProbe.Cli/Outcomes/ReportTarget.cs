using AsyncProbe.Cli.Views;

namespace AsyncProbe.Cli.Outcomes;

/// <summary>Where a result goes: the terminal or JSON on stdout, and files.</summary>
internal sealed record ReportTarget(
    Output Output, bool Json, IReadOnlyList<string> Files, string? Save, FindingTarget Findings, bool Quiet)
{
    /// <summary>Writes the result, and says why the exit code is not 0.</summary>
    /// <returns>The exit code.</returns>
    public async Task<int> FinishAsync(ResultText text, (int Code, string? Why) decision)
    {
        if (!Json)
        {
            TerminalDocument.Write(text.Document, Output.ResultsConsole(), Quiet);
        }

        await WriteFilesAsync(text);
        return await Output.ExplainAsync(decision);
    }

    /// <summary>Writes only the files, for an intermediate result.</summary>
    public Task SaveAsync(ResultText text) =>
        (this with { Json = false, Findings = Findings with { Annotate = false } }).WriteFilesAsync(text);

    private async Task WriteFilesAsync(ResultText text)
    {
        if (Json)
        {
            await Output.Results.WriteLineAsync(text.Json());
        }

        var findings = Findings.Annotate || Files.Any(ResultFile.IsSarif) ? Findings.Find(text.Servers, Output.Messages) : [];
        if (Findings.Annotate)
        {
            // GitHub reads both streams, and with --json stdout must contain only JSON.
            FindingTarget.Print(findings, Json ? Output.Messages : Output.Results);
        }

        try
        {
            foreach (var file in Files)
            {
                await WriteWholeAsync(file, ResultFile.Text(file, text, findings));
            }

            if (Save is not null)
            {
                await WriteWholeAsync(Save, text.Json());
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new CommandException(ExitCode.Usage, $"The result could not be written: {e.Message}");
        }
    }

    // The tool may be killed while it writes, and an earlier result is better than half of a new one. A link, pipe or device stays one.
    private static async Task WriteWholeAsync(string file, string text)
    {
        if (new FileInfo(file) is { Exists: true } known && (known.LinkTarget is not null || known.Length == 0))
        {
            await File.WriteAllTextAsync(file, text);
            return;
        }

        var part = file + ".part";
        await File.WriteAllTextAsync(part, text);
        File.Move(part, file, overwrite: true);
    }
}
