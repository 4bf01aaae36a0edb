using System.Net;

namespace AsyncProbe.Cli.Load;

/// <summary>Keeps a simulated thread's cookies separate from those of other threads on the same connection.</summary>
internal sealed class ThreadCookies(CookieContainer cookies) : DelegatingHandler
{
    protected override async Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken cancellationToken)
    {
        var url = request.RequestUri!;
        if (cookies.GetCookieHeader(url) is { Length: > 0 } header)
        {
            request.Headers.TryAddWithoutValidation("Cookie", header);
        }

        var response = await base.SendAsync(request, cancellationToken).ConfigureAwait(false);
        if (response.Headers.TryGetValues("Set-Cookie", out var values))
        {
            foreach (var value in values)
            {
                Keep(url, value);
            }
        }

        return response;
    }

    private void Keep(Uri url, string value)
    {
        try
        {
            cookies.SetCookies(url, value);
        }
        catch (CookieException)
        {
            // An unreadable cookie is not sent back, as with unshared connections.
        }
    }
}
