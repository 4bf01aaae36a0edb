using System.Text.RegularExpressions;

namespace AsyncProbe.Tests.Shared;

/// <summary>The Markdown that users read: README, docs, and the README in each folder.</summary>
internal static partial class Documents
{
    private static readonly string[] s_folders = ["docs", "websurge", "benchmarks", "src", "tests/mutation", ".github"];

    /// <summary>Their paths relative to the repository's root.</summary>
    public static IReadOnlyList<string> Paths { get; } =
    [
        .. Directory.GetFiles(Repository.Folder, "*.md")
            .Concat(s_folders.Select(folder => Path.Combine(Repository.Folder, folder)).Where(Directory.Exists)
                .SelectMany(folder => Directory.GetFiles(folder, "*.md", SearchOption.AllDirectories)))
            .Where(file => !IsBuilt(file))
            .Select(file => Path.GetRelativePath(Repository.Folder, file).Replace('\\', '/'))
            .Order(StringComparer.Ordinal),
    ];

    public static string Read(string path) => File.ReadAllText(Path.Combine(Repository.Folder, path)).ReplaceLineEndings("\n");

    /// <summary>The fenced blocks of all documents, or of a single one.</summary>
    public static IReadOnlyList<DocumentBlock> Blocks(string? path = null) =>
    [
        .. from document in path is null ? Paths : [path]
           from Match block in Block().Matches(Read(document))
           select new DocumentBlock(document, block.Groups["language"].Value, block.Groups["text"].Value),
    ];

    private static bool IsBuilt(string file) =>
        file.Replace('\\', '/') is var path
            && (path.Contains("/bin/", StringComparison.Ordinal) || path.Contains("/obj/", StringComparison.Ordinal)
            || path.Contains("/node_modules/", StringComparison.Ordinal)
            || path.Contains("/BenchmarkDotNet.Artifacts/", StringComparison.Ordinal));

    [GeneratedRegex("^(?<indent> *)```(?<language>[^\n]*)\n(?<text>.*?)^\\k<indent>```", RegexOptions.Multiline | RegexOptions.Singleline)]
    private static partial Regex Block();
}

/// <summary>A fenced block of a document.</summary>
internal sealed record DocumentBlock(string Document, string Language, string Text);
