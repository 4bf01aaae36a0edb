namespace AsyncProbe.Cli.Views;

/// <summary>Chooses the format of a file by its extension.</summary>
internal static class ResultFile
{
    public static bool IsKnown(string file) => Path.GetExtension(file).ToLowerInvariant() is ".json" or ".html" or ".md" or ".xml";

    public static string Text(string file, ResultText text) => Path.GetExtension(file).ToLowerInvariant() switch
    {
        ".json" => text.Json(),
        ".html" => text.Html(),
        ".md" => text.Markdown(),
        _ => text.Junit(),
    };
}
