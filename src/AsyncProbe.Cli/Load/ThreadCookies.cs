using System.Net;

namespace AsyncProbe.Cli.Load;

/// <summary>Keeps the cookies of one simulated thread apart from those of the others on its connection.</summary>
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
            // A cookie that nobody can read is not sent back, as with connections of one's own.
        }
    }
}
