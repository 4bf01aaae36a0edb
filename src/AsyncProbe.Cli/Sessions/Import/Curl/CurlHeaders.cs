namespace AsyncProbe.Cli.Sessions.Import.Curl;

/// <summary>The headers that a command's options ask for; -H replaces the headers that curl would send by default.</summary>
internal static class CurlHeaders
{
    public static void AddTo(ImportedHeaders headers, CurlCommand command, Action<Severity, string> say)
    {
        if (command.User is { } user)
        {
            if (!user.Contains(':', StringComparison.Ordinal) && !user.Contains("{{", StringComparison.Ordinal))
            {
                say(Severity.Warning, "curl would ask for the password, so an empty one is sent.");
            }

            if (user.Contains("{{", StringComparison.Ordinal))
            {
                say(Severity.Warning, "-u with a variable: give {{basic_credentials}} a value, user:password in base64.");
            }

            headers.Set("Authorization", ImportedUrl.Basic(user));
        }

        Set("Authorization", command.Bearer is null ? null : "Bearer " + command.Bearer);
        Set("User-Agent", command.Agent);
        Set("Referer", command.Referer);
        Set("Range", command.Range is null ? null : "bytes=" + command.Range);
        Set("Accept", command.Json ? "application/json" : null);
        Set("Cookie", command.Cookies.Count == 0 ? null : string.Join(';', command.Cookies));
        var replaced = new HashSet<string>(StringComparer.OrdinalIgnoreCase);
        foreach (var line in command.HeaderLines)
        {
            Add(line, replaced);
        }

        void Set(string name, string? value)
        {
            if (value is { Length: > 0 })
            {
                headers.Set(name, value);
            }
        }

        void Add(string line, HashSet<string> own)
        {
            if (line.StartsWith('@'))
            {
                say(Severity.Warning, "The headers are in another file, which is not read.");
                return;
            }

            var colon = line.IndexOf(':', StringComparison.Ordinal);
            var name = (colon < 0 ? line.TrimEnd(';') : line[..colon]).Trim();
            var value = colon < 0 ? "" : line[(colon + 1)..].Trim();
            if (colon < 0 && !line.EndsWith(';'))
            {
                say(Severity.Warning, $"\"{SafeText.From(line)}\" is not a header, so it is left out.");
                return;
            }

            // -H replaces a default header, except that curl sends cookies from both sources.
            if (own.Add(name) && !name.Equals("Cookie", StringComparison.OrdinalIgnoreCase))
            {
                headers.Remove(name);
            }

            // A header with nothing after its colon only removes curl's default.
            if (colon < 0 || value.Length > 0)
            {
                headers.Add(name, value);
            }
        }
    }
}
