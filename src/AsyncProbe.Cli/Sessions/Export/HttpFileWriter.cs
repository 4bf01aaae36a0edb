using System.Text;
using System.Text.RegularExpressions;

namespace AsyncProbe.Cli.Sessions.Export;

/// <summary>Writes a <c>.http</c> file that Visual Studio, httpyac and our own reader understand.</summary>
internal sealed partial class HttpFileWriter
{
    /// <summary>The variable that stands for braces which aren't a session variable.</summary>
    private const string Open = "openBraces";

    private readonly ExportPlan _plan;
    private readonly List<string> _losses;
    private readonly StringBuilder _text = new();
    private readonly Dictionary<string, string> _values = new(StringComparer.Ordinal);
    private readonly Dictionary<string, string> _starts = new(StringComparer.Ordinal);
    private bool _usesOpen;

    private HttpFileWriter(ExportPlan plan)
    {
        _plan = plan;
        _losses = [.. plan.Losses, .. ExportComment.LossesOfLoad(plan)];
    }

    public static ExportedFile Write(ExportPlan plan) => new HttpFileWriter(plan).Write();

    private ExportedFile Write()
    {
        foreach (var variable in _plan.Variables)
        {
            if (variable.Value is { } value && value.Trim() == value && !value.AsSpan().ContainsAny('\r', '\n')
                && !value.Contains("{{", StringComparison.Ordinal))
            {
                _values[variable.Name] = value;
            }
        }

        foreach (var request in _plan.ActiveRequests)
        {
            Write(request);
        }

        var requests = _text.ToString();
        _text.Clear();
        foreach (var line in ExportComment.Lines(_plan, _losses))
        {
            _text.Append("# ").Append(line).Append('\n');
        }

        foreach (var (name, value) in _values.Concat(_starts).Concat(_usesOpen ? [new(Open, "{{")] : []))
        {
            _text.Append('@').Append(name).Append(" = ").Append(value).Append('\n');
        }

        return new(_text.Append('\n').Append(requests).ToString(), _losses);
    }

    private void Write(ExportRequest request)
    {
        _text.Append("###");
        if (request.Name is not null)
        {
            _text.Append(' ').Append(Literal(request.Name.Trim()));
        }

        _text.Append('\n').Append(request.Verb).Append(' ').Append(request.Site).Append(Text(request.PathAndQuery)).Append('\n');
        foreach (var header in request.Headers)
        {
            _text.Append(header.Name).Append(": ").Append(Text(header.Value)).Append('\n');
        }

        if (request.HasBody)
        {
            _text.Append('\n').Append(Body(request)).Append('\n');
        }

        _text.Append('\n');
    }

    private string Body(ExportRequest request)
    {
        if (request.Bytes is { } bytes)
        {
            _losses.Add($"The bytes of the body of \"{request.Title}\": only asyncprobe reads them here, after b64_.");
            return BodyBytes.Base64Prefix + Convert.ToBase64String(bytes);
        }

        var body = Text(request.Body!);
        var kept = body.TrimEnd();
        // The line break after the last boundary of a multipart body is added again when it is sent.
        var isMultipart = request.Header("Content-Type")?.Value.ToString().TrimStart()
            .StartsWith("multipart/", StringComparison.OrdinalIgnoreCase) == true;
        if (kept != (isMultipart && body.EndsWith("\r\n", StringComparison.Ordinal) ? body[..^2] : body) || LoneBreak().IsMatch(kept))
        {
            _losses.Add($"Blanks at the end, and the kind of line breaks, of the body of \"{request.Title}\".");
        }

        return string.Join('\n', LineBreaks.ToLf(kept).Split('\n').Select(Line));
    }

    /// <summary>A line that would end the request, or be read as a comment, a file or a script, begins with a variable instead.</summary>
    private string Line(string line)
    {
        var indent = line.Length - line.TrimStart().Length;
        var start = line[indent..] switch
        {
            ['#', '#', '#', ..] when indent == 0 => "###",
            ['#', ..] => "#",
            ['/', '/', ..] => "//",
            ['>' or '<' or '@', ..] when indent == 0 => line[..1],
            _ => "",
        };
        if (start.Length == 0)
        {
            return line;
        }

        var name = start switch { "###" => "separator", ">" => "greater", "<" => "less", "@" => "at", "#" => "hash",
            _ => "slashes" } + "AtStart";
        _starts[name] = start;
        return $"{line[..indent]}{{{{{name}}}}}{line[(indent + start.Length)..]}";
    }

    private string Text(ExportText text) => text.Write(Literal, name =>
        _values.ContainsKey(name) ? $"{{{{{name}}}}}"
        : name.StartsWith('%') ? $"{{{{$processEnv {name.Trim('%')}}}}}"
        : _plan.Variables.First(variable => variable.Name == name) is { Value: { } value } ? Literal(value)
        : $"{{{{{name}}}}}");

    private string Literal(string text)
    {
        if (!text.Contains("{{", StringComparison.Ordinal))
        {
            return text;
        }

        _usesOpen = true;
        return text.Replace("{{", $"{{{{{Open}}}}}", StringComparison.Ordinal);
    }

    [GeneratedRegex(@"(?<!\r)\n|\r(?!\n)")]
    private static partial Regex LoneBreak();
}
