using System.Text.RegularExpressions;

namespace AsyncProbe.Cli.Sessions.Import;

/// <summary>Puts <c>{{placeholders}}</c> where a session would carry a live token, cookie or password into a file that others get.</summary>
internal static partial class SecretPlaceholders
{
    private const string Hidden = "***";

    /// <returns>The session, and the placeholders that stand in it.</returns>
    public static (Session Session, IReadOnlyList<string> Names) Replace(Session session)
    {
        var names = new List<string>();
        var requests = session.Requests.Select(request => request with
        {
            Url = Replace(request.Url, "secret", names),
            Headers = [.. request.Headers.Select(header => header with { Value = Header(header, names) })],
            Body = Body(request.Body, names),
        }).ToList();
        return (session with { Requests = requests }, names);
    }

    private static string Header(SessionHeader header, List<string> names)
    {
        var prefix = header.Name.Trim() + ": ";
        var line = Replace(prefix + header.Value, NotWord().Replace(header.Name.Trim().ToLowerInvariant(), "_"), names);
        return line.StartsWith(prefix, StringComparison.Ordinal) ? line[prefix.Length..] : header.Value;
    }

    /// <summary>In JSON the quotes around a value are masked with it.</summary>
    private static string Body(string body, List<string> names)
    {
        var isJson = body.AsSpan().TrimStart() is ['{' or '[', ..];
        return string.Join("\r\n", body.Split("\r\n").Select(line => Replace(line, "secret", names, isJson)));
    }

    private static string Replace(string text, string name, List<string> names, bool quoted = false)
    {
        // What is only a variable is no secret yet.
        if (text.Contains(Hidden, StringComparison.Ordinal) || Secrets.Mask(Variable().Replace(text, "")) is var masked && !masked.Contains(Hidden, StringComparison.Ordinal))
        {
            return text;
        }

        var hidden = Secrets.Mask(text);
        return Stars().Replace(hidden, match =>
        {
            var free = names.Contains(name) ? $"{name}{names.Count + 1}" : name;
            names.Add(free);
            return quoted && hidden.AsSpan(0, match.Index).TrimEnd() is [.., ':'] ? $"\"{{{{{free}}}}}\"" : $"{{{{{free}}}}}";
        });
    }

    [GeneratedRegex(@"\*\*\*")]
    private static partial Regex Stars();

    [GeneratedRegex(@"[^a-z0-9]+")]
    private static partial Regex NotWord();

    [GeneratedRegex(@"\{\{[^{}]{1,300}\}\}")]
    private static partial Regex Variable();
}
