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

        await OutputFile.WriteAllAsync(
            Files.Append(Save).OfType<string>(), "result",
            file => Task.FromResult(file == Save ? text.Json() : ResultFile.Text(file, text, findings)));
    }
}
