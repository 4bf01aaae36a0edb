using System.Text;
using AsyncProbe.Cli.Sessions.Import.Curl;
using AsyncProbe.Cli.Sessions.Import.Har;
using AsyncProbe.Cli.Sessions.Import.OpenApi;
using AsyncProbe.Cli.Sessions.Import.Postman;

namespace AsyncProbe.Cli.Sessions.Import;

/// <summary>Reads other tools' documents as sessions.</summary>
internal static class Importer
{
    /// <summary>Captures are larger than other documents, so they are read as streams.</summary>
    public static bool IsCapture(string file) => Path.GetExtension(file).Equals(".har", StringComparison.OrdinalIgnoreCase);

    public static Session ReadCapture(string file)
    {
        using var stream = File.OpenRead(file);
        return HarReader.Read(stream, file) with { Imported = true };
    }

    /// <summary>Whether it is a curl command typed as one argument.</summary>
    public static bool IsCommand(string source) => CurlReader.IsOne(source);

    public static Session ReadCommand(string text) => CurlReader.Read(text, "curl") with { Imported = true };

    /// <summary>Whether the file can be read and is one of these documents.</summary>
    public static bool IsDocument(string file)
    {
        if (IsCommand(file))
        {
            return true;
        }

        try
        {
            return ImportFormats.Find(file, WithoutMark(File.ReadAllBytes(file)).Span) != ImportFormat.None;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }

    /// <exception cref="SessionException">The URL has no document, or one of another kind.</exception>
    public static async Task<Session> FetchAsync(string url, ImportSettings settings, CancellationToken cancellationToken)
    {
        if (!Uri.TryCreate(url, UriKind.Absolute, out var place))
        {
            throw new SessionException($"{SafeText.From(url)} is not a URL.");
        }

        var content = await DocumentDownload.FetchAsync(place, cancellationToken);
        // Use the content to find the format, because many such URLs have no extension.
        return await ReadDocumentAsync(
            content, url, settings, ImportFormats.FindInJson(WithoutMark(content).Span), cancellationToken) is { } session
            ? session with { Imported = true }
            : throw new SessionException($"{SafeText.From(url)} is not a document that is read here: a {ImportFormats.Names} is.");
    }

    /// <returns>Null when the file is not one of these documents.</returns>
    /// <exception cref="SessionException">A related file cannot be read, or it is another kind of JSON.</exception>
    public static async Task<Session?> ReadAsync(
        byte[] content, string file, ImportSettings settings, CancellationToken cancellationToken) =>
        await ReadDocumentAsync(
            content, file, settings, ImportFormats.Find(file, WithoutMark(content).Span),
            cancellationToken) is { } session ? session with { Imported = true } : null;

    private static async Task<Session?> ReadDocumentAsync(
        byte[] content, string file, ImportSettings settings, ImportFormat format, CancellationToken cancellationToken)
    {
        var json = WithoutMark(content);
        switch (format)
        {
            case ImportFormat.Http:
                var folder = new FileInfo(file).DirectoryName ?? ".";
                return HttpFileReader.Read(
                    await SessionFile.TextAsync(content, cancellationToken), file, HttpEnvironment.Read(folder, settings.Environment));
            case ImportFormat.Postman:
                var secrets = new ImportedSecrets();
                var environment = settings.Environment is null
                    ? []
                    : await PostmanEnvironment.ReadAsync(settings.Environment, secrets, cancellationToken);
                return PostmanReader.Read(json, file, environment, secrets);
            case ImportFormat.Har:
                return HarReader.Read(new MemoryStream(content), file);
            case ImportFormat.Curl:
                return CurlReader.Read(await SessionFile.TextAsync(content, cancellationToken), file);
            case ImportFormat.OpenApi:
                return OpenApiReader.Read(json, file, settings.Operations, SessionFile.IsUrl(file) ? new Uri(file) : null);
            default:
                return Path.GetExtension(file).Equals(".json", StringComparison.OrdinalIgnoreCase)
                    ? throw new SessionException($"{file} is JSON, but not of a kind that is read here: a {ImportFormats.Names} is.")
                    : null;
        }
    }

    private static ReadOnlyMemory<byte> WithoutMark(byte[] content) =>
        content.AsSpan().StartsWith(Encoding.UTF8.Preamble) ? content.AsMemory(Encoding.UTF8.Preamble.Length) : content;
}
