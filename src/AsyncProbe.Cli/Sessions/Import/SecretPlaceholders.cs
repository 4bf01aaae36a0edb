using System.Text.RegularExpressions;

namespace AsyncProbe.Cli.Sessions.Import;

/// <summary>
/// Replaces live tokens, cookies and passwords with <c>{{placeholders}}</c>, so that a session file can be shared.
/// </summary>
internal sealed partial class SecretPlaceholders
{
    private const string Hidden = "***";

    private readonly List<string> _names = [];
    private readonly HashSet<string> _taken;
    private readonly Dictionary<string, string> _nameByValue = new(StringComparer.Ordinal);
    private readonly List<(string Value, string Name)> _known;

    /// <summary>Sorts the longest secrets first, because one may be part of another.</summary>
    private SecretPlaceholders(Session session)
    {
        _known =
        [
            .. session.Secrets.OrderByDescending(secret => secret.Key.Length).SelectMany(secret =>
                new[] { secret.Key, Uri.EscapeDataString(secret.Key) }.Distinct().Select(value => (value, secret.Value))),
        ];
        // A placeholder with the name of an existing variable would get that variable's value.
        _taken = new(
            [
                .. session.Options.SessionVariables.Select(variable => variable.Key.Trim().TrimStart('@')),
                .. session.Requests.SelectMany(EnvironmentNames.Texts).SelectMany(SessionVariables.FindIn)
                    .Select(variable => variable.Name),
            ],
            StringComparer.OrdinalIgnoreCase);
    }

    /// <returns>The session, and the placeholders in it. Equal values share one placeholder.</returns>
    public static (Session Session, IReadOnlyList<string> Names) Replace(Session session)
    {
        var placeholders = new SecretPlaceholders(session);
        var requests = session.Requests.Select(request => request with
        {
            Url = PathTokens.Replace(placeholders.Replace(request.Url, "secret"), token => $"{{{{{placeholders.NameFor(token, "secret")}}}}}"),
            Headers = [.. request.Headers.Select(header => header with { Value = placeholders.Header(header) })],
            Body = placeholders.Body(request.Body),
        }).ToList();
        return (session with { Requests = requests }, placeholders._names);
    }

    private string Header(SessionHeader header)
    {
        // The name of the value that a rule captures is not a secret, whatever the rule is called.
        if (header.IsForTheRunner)
        {
            return header.Value;
        }

        var prefix = header.Name.Trim() + ": ";
        var line = Replace(prefix + header.Value, NotWord().Replace(header.Name.Trim().ToLowerInvariant(), "_"));
        return line.StartsWith(prefix, StringComparison.Ordinal) ? line[prefix.Length..] : header.Value;
    }

    /// <summary>In JSON, the quotes around a value are masked with it.</summary>
    private string Body(string body)
    {
        var isJson = body.AsSpan().TrimStart() is ['{' or '[', ..];
        return string.Join("\n", body.Split('\n').Select(line => Replace(line, "secret", isJson)));
    }

    private string Replace(string text, string name, bool quoted = false)
    {
        foreach (var (value, own) in _known)
        {
            if (text.Contains(value, StringComparison.Ordinal))
            {
                text = text.Replace(value, $"{{{{{NameFor(value, own)}}}}}", StringComparison.Ordinal);
            }
        }

        // A variable is not a secret in itself.
        if (text.Contains(Hidden, StringComparison.Ordinal)
            || Secrets.Mask(Variable().Replace(text, "")) is var masked && !masked.Contains(Hidden, StringComparison.Ordinal)
            || OnlyVariables().IsMatch(text))
        {
            return text;
        }

        var hidden = Secrets.Mask(text);
        var at = 0;
        return Stars().Replace(hidden, match =>
        {
            var value = Behind(text, hidden, match, ref at);
            var free = NameFor(value, name);
            return quoted && hidden.AsSpan(0, match.Index).TrimEnd() is [.., ':'] ? $"\"{{{{{free}}}}}\"" : $"{{{{{free}}}}}";
        });
    }

    /// <summary>Finds the value behind the stars: it lies between the same texts. Null when that can't be determined.</summary>
    private static string? Behind(string text, string hidden, Match stars, ref int at)
    {
        var before = hidden.LastIndexOf(Hidden, Math.Max(0, stars.Index - 1), StringComparison.Ordinal) is >= 0 and var last
            && stars.Index > 0 ? last + Hidden.Length : 0;
        var start = at + stars.Index - before;
        var next = hidden.IndexOf(Hidden, stars.Index + Hidden.Length, StringComparison.Ordinal);
        var after = hidden[(stars.Index + Hidden.Length)..(next < 0 ? hidden.Length : next)];
        var end = next < 0 ? text.Length - after.Length : after.Length == 0
            ? -1
            : text.IndexOf(after, Math.Min(start, text.Length), StringComparison.Ordinal);
        at = Math.Max(end, start);
        return end > start && start >= 0 ? text[start..end] : null;
    }

    private string NameFor(string? value, string name)
    {
        if (value is not null && _nameByValue.TryGetValue(value, out var known))
        {
            return known;
        }

        var free = name;
        for (var number = 2; !_taken.Add(free); number++)
        {
            free = $"{name}{number}";
        }

        _names.Add(free);
        if (value is not null)
        {
            _nameByValue[value] = free;
        }

        return free;
    }

    [GeneratedRegex(@"\*\*\*")]
    private static partial Regex Stars();

    [GeneratedRegex(@"[^a-z0-9]+")]
    private static partial Regex NotWord();

    [GeneratedRegex(@"\{\{[^{}]{1,300}\}\}")]
    private static partial Regex Variable();

    /// <summary>A header whose value is a variable, optionally after its scheme.</summary>
    [GeneratedRegex(@"^[\w-]+:\s*(?:\w+\s+)?\{\{[^{}]{1,300}\}\}\s*$")]
    private static partial Regex OnlyVariables();
}
