using AsyncProbe.Cli.Sessions.Import;

namespace AsyncProbe.Cli.Sessions;

/// <summary>Loads a session from a file, or creates one from a URL.</summary>
internal static class SessionFile
{
    /// <summary>Far above any real session; it prevents a mistyped path to a huge file from filling the memory.</summary>
    private const long MaxBytes = 64 * 1024 * 1024;

    public static bool IsUrl(string source) =>
        source.StartsWith("http://", StringComparison.OrdinalIgnoreCase)
            || source.StartsWith("https://", StringComparison.OrdinalIgnoreCase);

    /// <param name="source">A file, a URL, or a curl command.</param>
    /// <param name="settings">How to import another tool's document.</param>
    public static async Task<Session> LoadAsync(string source, ImportSettings settings, CancellationToken cancellationToken)
    {
        if (IsUrl(source))
        {
            return new Session { Source = source, Requests = [new SessionRequest { Verb = "GET", Url = source }] };
        }

        if (Importer.IsCommand(source))
        {
            return Importer.ReadCommand(source);
        }

        try
        {
            if (Importer.IsCapture(source))
            {
                return Importer.ReadCapture(source);
            }

            var content = await ReadAsync(source, cancellationToken);
            return await Importer.ReadAsync(content, source, settings, cancellationToken)
                ?? SessionReader.Read(await TextAsync(content, cancellationToken), source);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException)
        {
            throw new SessionException($"The session {source} cannot be read: {WhyNot(e)}.");
        }
    }

    /// <summary>Why a file can't be read, as the end of a sentence.</summary>
    public static string WhyNot(Exception reading) =>
        reading is FileNotFoundException or DirectoryNotFoundException ? "there is no such file" : reading.Message.TrimEnd('.');

    /// <summary>Detects the encoding by the byte order mark, and uses UTF-8 without one.</summary>
    public static async Task<string> TextAsync(byte[] content, CancellationToken cancellationToken)
    {
        using var reader = new StreamReader(new MemoryStream(content), detectEncodingFromByteOrderMarks: true);
        return await reader.ReadToEndAsync(cancellationToken);
    }

    private static async Task<byte[]> ReadAsync(string source, CancellationToken cancellationToken)
    {
        var file = new FileInfo(source);
        return file.Exists && file.Length > MaxBytes
            ? throw new SessionException($"{source} has {file.Length / 1048576} MB; a session has at most 64.")
            : await File.ReadAllBytesAsync(source, cancellationToken);
    }
}
