using Microsoft.OpenApi;

namespace AsyncProbe.Cli.Sessions.Import.OpenApi;

/// <summary>Finds the server for an operation's requests.</summary>
internal static class OpenApiServers
{
    /// <returns>The first server, without a slash at its end; empty when only <c>--base-url</c> can provide it.</returns>
    public static string Url(IList<OpenApiServer>? servers, Uri? place)
    {
        var url = servers is { Count: > 0 } && servers[0].Url is { Length: > 0 } known ? known : "/";
        foreach (var (name, variable) in servers?.FirstOrDefault()?.Variables ?? new Dictionary<string, OpenApiServerVariable>())
        {
            url = url.Replace($"{{{name}}}", variable?.Default ?? $"{{{{{name}}}}}", StringComparison.Ordinal);
        }

        return place is not null && !SessionFile.IsUrl(url) && Uri.TryCreate(place, url, out var absolute)
            ? absolute.GetLeftPart(UriPartial.Path).TrimEnd('/')
            : url.TrimEnd('/');
    }
}
