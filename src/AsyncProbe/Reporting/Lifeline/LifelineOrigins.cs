using AsyncProbe.Reporting.Access;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.AspNetCore.Http;

namespace AsyncProbe.Reporting.Lifeline;

/// <summary>
/// Decides which pages' scripts may read the lifeline: its own page, and the app's pages under a loopback name. That way a page that was
/// open when the pool starved keeps updating. The browser sends the origin, and no page can choose it.
/// </summary>
internal sealed class LifelineOrigins(IServer? server = null)
{
    /// <param name="reader">The other origin that may read the answer; null for none.</param>
    public bool Allows(LifelineRequest request, out string? reader)
    {
        reader = null;
        if (request.Origin is not { } origin || origin == "http://" + request.Host)
        {
            return true;
        }

        reader = IsTheApplications(origin) ? origin : null;
        return reader is not null;
    }

    public static IEnumerable<(string Name, string Value)> Headers(string? reader)
    {
        yield return ("Vary", "Origin, Accept");
        yield return ("Cross-Origin-Resource-Policy", "same-origin");
        if (reader is not null)
        {
            yield return ("Access-Control-Allow-Origin", reader);
        }
    }

    private bool IsTheApplications(string origin) =>
        Uri.TryCreate(origin, UriKind.Absolute, out var page)
        && page.GetLeftPart(UriPartial.Authority) == origin
        && LocalNames.IsLoopback(page.Host)
        && server?.Features.Get<IServerAddressesFeature>()?.Addresses.Select(TryParse)
            .Any(a => a?.Scheme == page.Scheme && a.Port == page.Port) == true;

    // A third-party server may report addresses that don't parse.
    private static BindingAddress? TryParse(string address)
    {
        try
        {
            return BindingAddress.Parse(address);
        }
        catch (FormatException)
        {
            return null;
        }
    }
}
