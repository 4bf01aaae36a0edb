using System.Security.Claims;
using System.Text.Encodings.Web;
using Microsoft.AspNetCore.Authentication;
using Microsoft.Extensions.Options;

namespace Notes.Authentication;

/// <summary>Asks a slow key service on every request, and blocks until it answers.</summary>
internal sealed class ApiKeyHandler(IOptionsMonitor<AuthenticationSchemeOptions> options, ILoggerFactory logger, UrlEncoder encoder)
    : AuthenticationHandler<AuthenticationSchemeOptions>(options, logger, encoder)
{
    public new const string Scheme = "ApiKey";

    protected override Task<AuthenticateResult> HandleAuthenticateAsync()
    {
        var key = Request.Headers["X-Api-Key"].ToString();
        if (!IsKnownAsync(key).GetAwaiter().GetResult()) // blocks: api-key
        {
            return Task.FromResult(AuthenticateResult.Fail("Unknown key."));
        }

        var identity = new ClaimsIdentity([new Claim(ClaimTypes.Name, key)], Scheme);
        return Task.FromResult(AuthenticateResult.Success(new AuthenticationTicket(new ClaimsPrincipal(identity), Scheme)));
    }

    private static async Task<bool> IsKnownAsync(string key)
    {
        await Task.Delay(20);
        return key == "reporting";
    }
}
