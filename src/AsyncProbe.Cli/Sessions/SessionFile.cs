using AsyncProbe.Cli.Sessions.Import;

namespace AsyncProbe.Cli.Sessions;

/// <summary>Loads a session from a file, or makes one of a URL.</summary>
internal static class SessionFile
{
    /// <summary>Far above any real session; it keeps a mistyped path to a huge file from filling the memory.</summary>
    private const long MaxBytes = 64 * 1024 * 1024;

    public static bool IsUrl(string source) =>
        source.StartsWith("http://", StringComparison.OrdinalIgnoreCase) || source.StartsWith("https://", StringComparison.OrdinalIgnoreCase);

    public static bool IsHttpFile(string source) => Path.GetExtension(source).ToLowerInvariant() is ".http" or ".rest";

    public static Task<Session> LoadAsync(string source, CancellationToken cancellationToken) => LoadAsync(source, environment: null, cancellationToken);

    /// <param name="source">A file or a URL.</param>
    /// <param name="environment">Of a .http file: which named set of values to use.</param>
    /// <param name="cancellationToken">Ends the reading.</param>
    public static async Task<Session> LoadAsync(string source, string? environment, CancellationToken cancellationToken)
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
            var text = await reader.ReadToEndAsync(cancellationToken);
            return IsHttpFile(source)
                ? HttpFileReader.Read(text, source, HttpEnvironment.Read(file.DirectoryName ?? ".", environment))
                : SessionReader.Read(text, source);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException)
        {
            var reason = e is FileNotFoundException or DirectoryNotFoundException ? "there is no such file" : e.Message.TrimEnd('.');
            throw new SessionException($"The session {source} cannot be read: {reason}.");
        }
    }
}
