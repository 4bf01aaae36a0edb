using Microsoft.AspNetCore.Http;

namespace AsyncProbe.Cli.Tests;

/// <summary>A request as the server saw it.</summary>
internal sealed record Seen(string Method, string PathAndQuery, IReadOnlyDictionary<string, string> Headers, string Body, string Connection)
{
    public static async Task<Seen> OfAsync(HttpRequest request)
    {
        using var reader = new StreamReader(request.Body);
        return new(
            request.Method,
            request.Path + request.QueryString,
            request.Headers.ToDictionary(header => header.Key, header => header.Value.ToString(), StringComparer.OrdinalIgnoreCase),
            await reader.ReadToEndAsync(),
            request.HttpContext.Connection.Id);
    }
}
