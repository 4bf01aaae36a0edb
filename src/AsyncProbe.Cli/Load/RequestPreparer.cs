using AsyncProbe.Cli.Sessions;

namespace AsyncProbe.Cli.Load;

/// <summary>Makes a session's active requests ready to send, as the given user of the session.</summary>
internal sealed class RequestPreparer(Session session, LoadSettings settings)
{
    /// <summary>What WebSurge never sends either: the handler sets them, or they would change the meaning of a repeated request.</summary>
    private static readonly HashSet<string> NeverSent = new(StringComparer.OrdinalIgnoreCase)
    {
        "Date", "Expect", "If-Modified-Since", "Proxy-Connection", "Transfer-Encoding", "Host", "Content-Length",
    };

    private readonly SessionVariables _variables = new(session.Options.SessionVariables, settings.AllowedEnvironment);

    /// <summary>One list per user; one list when the session has no users.</summary>
    public PreparedRequest[][] PrepareForUsers()
    {
        var users = session.Options.Users;
        return users.Count == 0 ? [Prepare(null)] : [.. users.Select(Prepare)];
    }

    private PreparedRequest[] Prepare(SessionUser? user) => [.. session.ActiveRequests.Select((request, index) => Prepare(request, index, user))];

    private PreparedRequest Prepare(SessionRequest request, int index, SessionUser? user)
    {
        var (url, problem) = UrlBuilder.Build(request.Url, session.Options, settings.BaseUrl, _variables);
        if (url is null)
        {
            throw new SessionException($"{session.Source}({request.Line}): error: {problem}");
        }

        var form = UserRules.FormFor(user, request, url);
        var body = form?.Content ?? _variables.Expand(request.Body);
        var (bytes, bodyProblem) = BodyBytes.Encode(request, body);
        if (bodyProblem is not null)
        {
            throw new SessionException($"{session.Source}({request.Line}): error: {bodyProblem}");
        }

        var headers = UserRules.Apply(user, form, request, Headers(request)).Where(header => !NeverSent.Contains(header.Name)).ToArray();
        var rules = TokenRule.FindAll(request);
        return new PreparedRequest
        {
            Index = index,
            Title = request.Title,
            Method = new HttpMethod(request.Verb),
            Url = url,
            Headers = [.. headers.Where(header => !IsContentHeader(header.Name))],
            ContentHeaders = [.. headers.Where(header => IsContentHeader(header.Name))],
            Body = bytes,
            JsonBody = rules.Any(rule => rule.Kind == TokenKind.InjectJson) ? body : null,
            Captures = [.. rules.Where(rule => rule.Captures)],
            Injections = [.. rules.Where(rule => !rule.Captures)],
            KeepsItsPlace = request.SortNoRandomize,
        };
    }

    private IEnumerable<SessionHeader> Headers(SessionRequest request)
    {
        foreach (var header in request.Headers.Where(header => !header.IsForTheRunner && !settings.ExtraHeaders.Any(extra => extra.Is(header.Name))))
        {
            var value = _variables.Expand(header.Value);
            yield return new(header.Name.Trim(), Replaced(header, value));
        }

        foreach (var extra in settings.ExtraHeaders)
        {
            yield return extra;
        }

        if (session.Options.UserAgent is { Length: > 0 } agent && request.Header("User-Agent") is null)
        {
            yield return new("User-Agent", agent);
        }
    }

    private string Replaced(SessionHeader header, string value)
    {
        if (header.Is("Cookie") && session.Options.ReplaceCookieValue is { Length: > 0 } cookie)
        {
            return _variables.Expand(cookie);
        }

        // Since version 2.3 only a bearer token is replaced; a Basic or Digest header stays.
        return header.Is("Authorization") && session.Options.ReplaceAuthorization is { Length: > 0 } authorization
            && value.StartsWith("Bearer", StringComparison.OrdinalIgnoreCase)
            ? _variables.Expand(authorization)
            : value;
    }

    private static bool IsContentHeader(string name) =>
        name.StartsWith("Content-", StringComparison.OrdinalIgnoreCase)
        || name.Equals("Allow", StringComparison.OrdinalIgnoreCase)
        || name.Equals("Expires", StringComparison.OrdinalIgnoreCase)
        || name.Equals("Last-Modified", StringComparison.OrdinalIgnoreCase);
}
