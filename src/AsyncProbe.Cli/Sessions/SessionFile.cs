namespace AsyncProbe.Cli.Sessions;

/// <summary>Loads a session from a file, or makes one of a URL.</summary>
internal static class SessionFile
{
    /// <summary>Far above any real session; it keeps a mistyped path to a huge file from filling the memory.</summary>
    private const long MaxBytes = 64 * 1024 * 1024;

    public static bool IsUrl(string source) =>
        source.StartsWith("http://", StringComparison.OrdinalIgnoreCase) || source.StartsWith("https://", StringComparison.OrdinalIgnoreCase);

    public static async Task<Session> LoadAsync(string source, CancellationToken cancellationToken)
    {
        if (IsUrl(source))
        {
            return new Session { Source = source, Requests = [new SessionRequest { Verb = "GET", Url = source }] };
        }

        try
        {
            var file = new FileInfo(source);
            if (file.Exists && file.Length > MaxBytes)
            {
                throw new SessionException($"{source} has {file.Length / 1048576} MB; a session has at most 64.");
            }

            // The reader detects a byte order mark and takes UTF-8 without one.
            using var reader = new StreamReader(source, detectEncodingFromByteOrderMarks: true);
            return SessionReader.Read(await reader.ReadToEndAsync(cancellationToken), source);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException)
        {
            var reason = e is FileNotFoundException or DirectoryNotFoundException ? "there is no such file" : e.Message.TrimEnd('.');
            throw new SessionException($"The session {source} cannot be read: {reason}.");
        }
    }
}
