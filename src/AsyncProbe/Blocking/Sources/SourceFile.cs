using System.Security.Cryptography;

namespace AsyncProbe.Blocking.Sources;

/// <summary>
/// A source file named by the symbols, which may still exist on the machine where it was compiled. Its lines are shown only if its content
/// is unchanged since then, because showing the wrong line is worse than showing none.
/// </summary>
/// <param name="path">The path that the compiler saw.</param>
/// <param name="hash">The SHA-256 hash of the compiled content; empty when unknown.</param>
internal sealed class SourceFile(string path, byte[] hash)
{
    private const int LargestFile = 4 << 20;
    private const int LongestLine = 200;

    private readonly Lazy<string[]?> _lines = new(() => Read(path, hash), LazyThreadSafetyMode.PublicationOnly);

    /// <summary>
    /// The text of a line without surrounding spaces, shortened if it is very long. Null when the file is missing or has changed, or when
    /// it has no such line or only a blank one.
    /// </summary>
    /// <param name="line">The line number, from 1.</param>
    public string? LineAt(int line) =>
        _lines.Value is { } lines && line >= 1 && line <= lines.Length && lines[line - 1].Trim() is { Length: > 0 } text
            ? text.Length <= LongestLine ? text : text[..LongestLine] + "…"
            : null;

    private static string[]? Read(string path, byte[] hash)
    {
        try
        {
            if (!Path.IsPathFullyQualified(path) || new FileInfo(path) is not { Exists: true, Length: <= LargestFile })
            {
                return null;
            }

            var content = File.ReadAllBytes(path);
            return SHA256.HashData(content).AsSpan().SequenceEqual(hash)
                ? new StreamReader(new MemoryStream(content)).ReadToEnd().ReplaceLineEndings("\n").Split('\n')
                : null;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            return null;
        }
    }
}
