using System.Globalization;
using System.Text;
using AsyncProbe.Cli.Sessions.Import;

namespace AsyncProbe.Cli.Sessions.Export;

/// <summary>Creates a plan from a session. It decides what <c>run</c> decides before it sends, and lists what is lost.</summary>
internal sealed class ExportPlanner
{
    private readonly Session _session;
    private readonly ExportSettings _settings;
    private readonly SessionVariables _variables;
    private readonly List<string> _losses = [];
    private readonly Dictionary<string, ExportVariable> _used = new(StringComparer.OrdinalIgnoreCase);

    private ExportPlanner(Session session, ExportSettings settings)
    {
        _session = session;
        _settings = settings;
        _variables = new(
            session.Options.SessionVariables.Where(pair => settings.WithSecrets || !IsSecret(pair.Key, pair.Value)),
            allowedEnvironment: []);
    }

    /// <exception cref="SessionException">A request has no URL or body that can be sent.</exception>
    public static ExportPlan Create(Session session, ExportSettings settings) => new ExportPlanner(session, settings).Create();

    private ExportPlan Create()
    {
        // Resolve URLs and headers first: the options put secrets into both.
        var resolved = _session with { Requests = [.. _session.Requests.Select(Resolve)] };
        var safe = _settings.WithSecrets ? resolved : SecretPlaceholders.Replace(resolved).Session;
        var requests = safe.Requests.Select(Plan).ToList();
        var options = _session.Options;
        return new()
        {
            Name = _session.Name,
            Requests = requests,
            Variables = [.. _used.Values],
            Options = options,
            Threads = _settings.Threads ?? options.Threads,
            Seconds = _settings.Seconds ?? options.Seconds,
            DelayMs = Math.Max(0, _settings.DelayMs ?? options.DelayTimeMs),
            Losses = [.. Common(), .. _losses],
        };
    }

    private IEnumerable<string> Common()
    {
        if (_session.Options.Users.Count > 0)
        {
            yield return string.Create(
                CultureInfo.InvariantCulture,
                $"Users ({_session.Options.Users.Count}): every thread sends the requests as they are, without a user's cookie, "
                    + $"authorization or form.");
        }

        if (_session.Options.HttpProtocolVersion?.StartsWith('2') == true)
        {
            yield return "HTTP/2.";
        }

        if (_session.Options.SessionVariables.Any(pair => SessionVariables.InnerEnvironmentIn(pair.Value).Any()))
        {
            yield return "Variables of the environment inside a session variable: %NAME% is written as it is.";
        }
    }

    /// <summary>Makes the URL absolute, and keeps only headers that are sent or meant for the runner.</summary>
    private SessionRequest Resolve(SessionRequest request)
    {
        var (site, path) = ExportedUrl.Build(request.Url, _session.Options, _settings.BaseUrl, _variables);
        var headers = new List<SessionHeader>();
        foreach (var header in SentHeaders.Find(request, _session.Options, _variables).Where(header => !SentHeaders.IsNever(header.Name)))
        {
            if (header.IsValid)
            {
                headers.Add(header);
            }
            else
            {
                _losses.Add($"A header of \"{request.Title}\" that no request can have: {SafeText.From(header.Name)}.");
            }
        }

        return request with { Url = site + path, Headers = [.. headers, .. request.Headers.Where(header => header.IsForTheRunner)] };
    }

    private ExportRequest Plan(SessionRequest request)
    {
        // There is a / after the site, because the text was built from a URL.
        var end = request.Url.IndexOf('/', request.Url.IndexOf("://", StringComparison.Ordinal) + 3);
        var (body, bytes) = Body(request);
        return new()
        {
            Title = ExportText.WellFormed(request.Title),
            Name = request.Name is { Length: > 0 } name ? SafeText.From(name) : null,
            Verb = request.Verb,
            Site = request.Url[..end],
            PathAndQuery = Use(ExportText.Parse(request.Url[end..])),
            Headers = [.. request.Headers.Where(header => !header.IsForTheRunner).Select(
                header => new ExportHeader(header.Name, Use(ExportText.Parse(header.Value))))],
            Body = body,
            Bytes = bytes,
            Rules = TokenRule.FindAll(request),
            Inactive = request.Inactive,
            KeepsItsPlace = request.SortNoRandomize,
        };
    }

    private (ExportText? Text, byte[]? Bytes) Body(SessionRequest request)
    {
        var sent = _variables.Expand(request.Body);
        var (bytes, problem) = BodyBytes.Encode(request, sent);
        if (problem is not null)
        {
            throw new SessionException($"{_session.Source}({request.Line}): error: {problem}");
        }

        // A multipart body gets a final line break when it is sent.
        foreach (var end in (string[])["", "\r\n"])
        {
            if (bytes.AsSpan().SequenceEqual(Encoding.UTF8.GetBytes(sent + end)))
            {
                return (bytes.Length == 0 ? null : Use(ExportText.Parse(request.Body + end)), null);
            }
        }

        return (null, bytes);
    }

    /// <summary>Changes every spelling of a name to that of its first use.</summary>
    private ExportText Use(ExportText text) => new([.. text.Parts.Select(part =>
    {
        if (!part.IsVariable)
        {
            return part;
        }

        if (!_used.TryGetValue(part.Text, out var variable))
        {
            _used[part.Text] = variable = new(part.Text, _variables.Value(part.Text) is { } value ? ExportText.WellFormed(value) : null);
        }

        return part with { Text = variable.Name };
    })]);

    private static bool IsSecret(string name, string value)
    {
        var secrets = new ImportedSecrets();
        secrets.AddIfNamedSo(name.Trim().TrimStart('@'), value);
        return secrets.All.Count > 0 || Secrets.Mask(value) != value;
    }
}
