using AsyncProbe.Cli.Sessions;

namespace AsyncProbe.Cli.Load;

/// <summary>How a session's user changes a request.</summary>
internal static class UserRules
{
    /// <summary>Version 1's users apply only to POST and PUT, and a cookie takes precedence over a form.</summary>
    public static LoginForm? FormFor(SessionUser? user, SessionRequest request, Uri url) =>
        user is { AuthCookie: null or "" } && request.Verb is "POST" or "PUT"
            ? user?.Forms.FirstOrDefault(form => form.Url.Equals(url.AbsoluteUri, StringComparison.OrdinalIgnoreCase))
            : null;

    public static IEnumerable<SessionHeader> Apply(
        SessionUser? user, LoginForm? form, SessionRequest request, IEnumerable<SessionHeader> headers)
    {
        if (user is null)
        {
            return headers;
        }

        var own = new List<SessionHeader>();
        if (form is not null)
        {
            own.AddRange(form.Headers.Where(header => header.Name.Length > 0));
            own.Add(new("Content-Type", form.ContentType));
        }

        if (user.AuthCookie is { Length: > 0 } cookie && (request.Verb is "POST" or "PUT" || user.Authorization is not null))
        {
            own.Add(new("Cookie", cookie));
        }

        if (user.Authorization is { Length: > 0 } authorization)
        {
            own.Add(new("Authorization", authorization));
        }

        return [.. headers.Where(header => !own.Any(mine => mine.Is(header.Name))), .. own];
    }
}
