using System.Text.Json;
using AsyncProbe.Cli.Runs;
using AsyncProbe.Cli.Sessions;
using AsyncProbe.Cli.Sessions.Import;
using AsyncProbe.Cli.Views;

namespace AsyncProbe.Cli.Commands;

/// <summary>Reads a run that <c>--save</c> wrote.</summary>
internal static class SavedRun
{
    /// <summary>Whether the source is a saved run: a .json file that is not another tool's document.</summary>
    public static bool IsOne(string source) =>
        !SessionFile.IsUrl(source) && Path.GetExtension(source).Equals(".json", StringComparison.OrdinalIgnoreCase)
            && !Importer.IsDocument(source);

    public static async Task<RunResult> LoadAsync(string file, CancellationToken cancellationToken)
    {
        try
        {
            await using var stream = File.OpenRead(file);
            var run = await JsonSerializer.DeserializeAsync(stream, ResultJson.Default.RunResult, cancellationToken);
            if (run is not { Kind: "run", Schema: SavedResult.CurrentSchema })
            {
                throw new SessionException(
                    $"{file} is not a saved run of schema {SavedResult.CurrentSchema}: make one with asyncprobe run … --save {file}.");
            }

            return run;
        }
        catch (JsonException e)
        {
            throw new SessionException(
                $"{file}({(e.LineNumber ?? 0) + 1}): error: this is not a saved run. Make one with asyncprobe run … --save {file}.");
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new SessionException($"The saved run {file} cannot be read: {SessionFile.WhyNot(e)}.");
        }
    }
}
