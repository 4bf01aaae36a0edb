using AsyncProbe.Cli.Sites;
using AsyncProbe.Cli.Views.Html;

namespace AsyncProbe.Cli.Views;

/// <summary>Chooses the format of a file by its extension.</summary>
internal static class ResultFile
{
    public static bool IsKnown(string file) =>
        Path.GetExtension(file).ToLowerInvariant() is ".json" or ".html" or ".md" or ".xml" || IsSarif(file);

    public static bool IsSarif(string file) => Path.GetExtension(file).Equals(".sarif", StringComparison.OrdinalIgnoreCase);

    /// <param name="file">Where it goes.</param>
    /// <param name="findings">The result's call sites, for formats that contain only those.</param>
    public static string Text(string file, ResultText text, IReadOnlyList<Finding> findings) =>
        Path.GetExtension(file).ToLowerInvariant() switch
    {
        ".json" => text.Json(),
        ".html" => HtmlReport.Create(text),
        ".md" => MarkdownDocument.Create(text.Document),
        ".sarif" => SarifReport.Create(findings),
        _ => text.Junit(),
    };
}
