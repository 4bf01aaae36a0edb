using AsyncProbe.Cli.Sessions;

namespace AsyncProbe.Cli.Load;

/// <summary>Prepares a session's active requests for sending as a given user of the session.</summary>
internal sealed class RequestPreparer(Session session, LoadSettings settings)
{
    private readonly SessionVariables _variables = new(session.Options.SessionVariables, settings.AllowedEnvironment);

    /// <summary>One list per user; one list when the session has no users.</summary>
    public PreparedRequest[][] PrepareForUsers()
    {
        var users = session.Options.Users;
        return users.Count == 0 ? [Prepare(null)] : [.. users.Select(Prepare)];
    }

    private PreparedRequest[] Prepare(SessionUser? user) =>
        [.. session.ActiveRequests.Select((request, index) => Prepare(request, index, user))];

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

        var headers = Headers(request, user, form);
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

    /// <summary>A header from the command line replaces the session's and its user's.</summary>
    private SessionHeader[] Headers(SessionRequest request, SessionUser? user, LoginForm? form)
    {
        var own = SentHeaders.Find(request, session.Options, _variables)
            .Select(header => header with { Value = _variables.Expand(header.Value) });
        return
        [
            .. UserRules.Apply(user, form, request, own)
                .Where(header => !SentHeaders.IsNever(header.Name) && !settings.ExtraHeaders.Any(extra => extra.Is(header.Name))),
            .. settings.ExtraHeaders,
        ];
    }

    private static bool IsContentHeader(string name) =>
        name.StartsWith("Content-", StringComparison.OrdinalIgnoreCase)
        || name.Equals("Allow", StringComparison.OrdinalIgnoreCase)
        || name.Equals("Expires", StringComparison.OrdinalIgnoreCase)
        || name.Equals("Last-Modified", StringComparison.OrdinalIgnoreCase);
}
