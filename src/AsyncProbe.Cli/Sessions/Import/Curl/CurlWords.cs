namespace AsyncProbe.Cli.Sessions.Import.Curl;

/// <summary>Interprets the words of a curl command.</summary>
internal sealed class CurlWords(Action<Severity, int, string> say)
{
    private const string InAFile = "its body is in another file, which is not read";

    private readonly List<CurlCommand> _commands = [new()];

    private CurlCommand Command => _commands[^1];

    /// <param name="words">The words without the first one.</param>
    public IReadOnlyList<CurlCommand> Read(IReadOnlyList<ShellWord> words)
    {
        var at = 0;
        while (at < words.Count)
        {
            var word = words[at++];
            if (word.Text.StartsWith("--", StringComparison.Ordinal) && word.Text.Length > 2)
            {
                Option(word.Text[2..], word, null, words, ref at);
            }
            else if (word.Text.Length > 1 && word.Text[0] == '-' && word.Text != "--")
            {
                Letters(word, words, ref at);
            }
            else if (word.Text is not ("-" or "--"))
            {
                Command.Urls.Add(word.Text);
            }
        }

        return _commands;
    }

    /// <summary>Letters without values can be combined, and a value can directly follow its letter.</summary>
    private void Letters(ShellWord word, IReadOnlyList<ShellWord> words, ref int at)
    {
        for (var i = 1; i < word.Text.Length; i++)
        {
            if (CurlOptions.Long(word.Text[i]) is not { } name)
            {
                say(
                    Severity.Warning, word.Line,
                    $"The option -{SafeText.From(word.Text[i..(i + 1)])} is not understood, so it has no effect.");
                continue;
            }

            var takesValue = CurlOptions.TakesValue(name);
            Option(name, word, takesValue && i + 1 < word.Text.Length ? word.Text[(i + 1)..] : null, words, ref at);
            if (takesValue)
            {
                return;
            }
        }
    }

    private void Option(string name, ShellWord word, string? value, IReadOnlyList<ShellWord> words, ref int at)
    {
        if (CurlOptions.TakesValue(name) && value is null)
        {
            if (at == words.Count)
            {
                say(Severity.Warning, word.Line, $"The option --{SafeText.From(name)} has no value, so it has no effect.");
                return;
            }

            value = words[at++].Text;
        }

        Command.KeepsCookies |= name == "cookie-jar";
        if (CurlOptions.IsRead(name))
        {
            Apply(name, value ?? "", word.Line);
        }
        else if (name is "insecure" or "http2" or "http2-prior-knowledge")
        {
            say(
                Severity.Note, word.Line,
                $"--{name} is not kept in a session: give {(name == "insecure" ? "--insecure" : "--http2")} to run.");
        }
        else if (!CurlOptions.IsHarmless(name))
        {
            say(Severity.Warning, word.Line, $"The option --{SafeText.From(name)} is not understood, so it has no effect.");
        }
    }

    private void Apply(string name, string value, int line)
    {
        switch (name)
        {
            case "request": Command.Method = value.Length == 0 ? null : value; break;
            case "header": Command.HeaderLines.Add(value); break;
            case "data" or "data-ascii" or "data-binary" or "json" when value.StartsWith('@'):
                Command.Problem = InAFile;
                Command.AddData("", "");
                break;
            case "json":
                Command.Json = true;
                Command.AddData(value, "");
                break;
            case "data" or "data-ascii" or "data-binary" or "data-raw": Command.AddData(value, "&"); break;
            case "data-urlencode": Encode(value); break;
            case "form" or "form-string": Part(value, isText: name == "form-string", line); break;
            case "url": Command.Urls.Add(value); break;
            case "url-query": Command.Queries.Add(value.StartsWith('+') ? value[1..] : Encoded(value) ?? ""); break;
            case "user": Command.User = value; break;
            case "oauth2-bearer": Command.Bearer = value; break;
            case "user-agent": Command.Agent = value; break;
            case "referer": Command.Referer = value.Split(";auto")[0]; break;
            case "range": Command.Range = value; break;
            case "cookie" when value.Contains('=', StringComparison.Ordinal)
                || value.Contains("{{", StringComparison.Ordinal): Command.Cookies.Add(value); break;
            case "cookie" when value.Length > 0: say(Severity.Warning, line, "The cookies are in another file, which is not read."); break;
            case "upload-file": Command.Problem = InAFile; break;
            case "get": Command.Get = true; break;
            case "head": Command.Head = true; break;
            case "globoff": Command.NoGlobs = true; break;
            case "next": _commands.Add(new()); break;
            default: break;
        }
    }

    private void Encode(string value)
    {
        if (Encoded(value) is { } encoded)
        {
            Command.AddData(encoded, "&");
        }
        else
        {
            Command.Problem = InAFile;
            Command.AddData("", "");
        }
    }

    /// <summary>Keeps the name and encodes the value, with plus signs for blanks. Null when the value is in a file.</summary>
    private static string? Encoded(string value)
    {
        var equals = value.IndexOf('=', StringComparison.Ordinal);
        if (equals < 0 && value.Contains('@', StringComparison.Ordinal))
        {
            return null;
        }

        var content = ImportedBody.Escape(value[(equals + 1)..]).Replace("%20", "+", StringComparison.Ordinal);
        return equals > 0 ? $"{value[..equals]}={content}" : content;
    }

    private void Part(string text, bool isText, int line)
    {
        var equals = text.IndexOf('=', StringComparison.Ordinal);
        if (equals < 0)
        {
            say(Severity.Warning, line, "A part of a form needs a name and an equals sign, so this one is left out.");
            return;
        }

        var (name, value) = (text[..equals], text[(equals + 1)..]);
        if (!isText && value is ['@' or '<', ..])
        {
            Command.Problem = $"its part \"{SafeText.From(name)}\" is a file, which is not read";
        }

        Command.Parts.Add(isText ? new(name, value) : CurlPart.Read(name, value));
    }
}
