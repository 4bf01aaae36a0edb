using System.Security.Cryptography;

namespace AsyncProbe.Blocking.Stacks;

/// <summary>
/// A source file as the symbols name it: on the machine where it was compiled it may still be there. Its lines are shown only if it is the
/// very file that was compiled: another line than the one that ran is worse than none.
/// </summary>
/// <param name="path">As the compiler saw it.</param>
/// <param name="hash">Of its content then, SHA-256; empty when it is not known.</param>
internal sealed class SourceFile(string path, byte[] hash)
{
    private const int LargestFile = 4 << 20;
    private const int LongestLine = 200;

    private readonly Lazy<string[]?> _lines = new(() => Read(path, hash), LazyThreadSafetyMode.PublicationOnly);

    /// <summary>A line without the spaces around it; null when it is not there.</summary>
    /// <param name="line">From 1.</param>
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
