using System.Text.Json;
using AsyncProbe.Cli.Runs;
using AsyncProbe.Cli.Sessions;
using AsyncProbe.Cli.Sessions.Import;
using AsyncProbe.Cli.Snapshots;
using AsyncProbe.Cli.Views;

namespace AsyncProbe.Cli.Commands;

/// <summary>Reads a run that <c>--save</c> wrote.</summary>
internal static class SavedRun
{
    private const string Kind = "run";

    /// <summary>Whether the source is a saved run: a .json file that is not another tool's document.</summary>
    public static bool IsOne(string source) =>
        !SessionFile.IsUrl(source) && Path.GetExtension(source).Equals(".json", StringComparison.OrdinalIgnoreCase)
            && !Importer.IsDocument(source);

    public static async Task<RunResult> LoadAsync(string file, CancellationToken cancellationToken)
    {
        try
        {
            await using var stream = File.OpenRead(file);
            using var json = await JsonDocument.ParseAsync(stream, cancellationToken: cancellationToken);
            return Read(file, json.RootElement);
        }
        catch (JsonException e)
        {
            throw new SessionException(
                $"{file}({(e.LineNumber ?? 0) + 1}): error: this is not a saved run. {HowToMake(file)}");
        }
        catch (InvalidOperationException)
        {
            // Half a surrogate pair is not valid text.
            throw new SessionException($"{file} is not a saved run: it holds text that is none. {HowToMake(file)}");
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new SessionException($"The saved run {file} cannot be read: {SessionFile.WhyNot(e)}.");
        }
    }

    private static RunResult Read(string file, JsonElement root)
    {
        var kind = root.Text("kind");
        if (kind is not null and not Kind)
        {
            throw new SessionException(
                $"{file} holds a {kind}, and compare takes runs, each of one session at one rate. {HowToMake(file)}");
        }

        return kind is not null && root.Number("schema") == SavedResult.CurrentSchema
            ? root.Deserialize(ResultJson.Default.RunResult)!
            : throw new SessionException($"{file} is not a saved run of schema {SavedResult.CurrentSchema}. {HowToMake(file)}");
    }

    private static string HowToMake(string file) => $"Make one with asyncprobe run … --save {file}.";
}
