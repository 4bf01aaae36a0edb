using System.Security.Claims;
using Microsoft.AspNetCore.Authentication;

namespace Notes.Authentication;

/// <summary>Runs with every authenticated request and only awaits, so it is never to blame for what runs after it.</summary>
internal sealed class PlanClaims : IClaimsTransformation
{
    public async Task<ClaimsPrincipal> TransformAsync(ClaimsPrincipal principal)
    {
        await Task.Yield();
        if (principal.HasClaim(c => c.Type == "plan"))
        {
            return principal;
        }

        var clone = principal.Clone();
        clone.AddIdentity(new ClaimsIdentity([new Claim("plan", "free")]));
        return clone;
    }
}
