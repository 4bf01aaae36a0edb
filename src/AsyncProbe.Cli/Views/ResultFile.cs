namespace AsyncProbe.Cli.Views;

/// <summary>The file's ending decides what is written.</summary>
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
