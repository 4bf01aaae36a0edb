using System.Text;

namespace AsyncProbe.Cli.Sessions.Import.Curl;

/// <summary>What the words of one command ask for, up to <c>--next</c>.</summary>
internal sealed class CurlCommand
{
    private StringBuilder? _data;

    public List<string> Urls { get; } = [];
    public List<string> Queries { get; } = [];
    public List<string> HeaderLines { get; } = [];
    public List<string> Cookies { get; } = [];
    public List<FormPart> Parts { get; } = [];

    /// <summary>Null without a body. An empty body is also sent.</summary>
    public string? Data { get => field ??= _data?.ToString(); private set; }
    public string? Method { get; set; }
    public string? User { get; set; }
    public string? Bearer { get; set; }
    public string? Agent { get; set; }
    public string? Referer { get; set; }
    public string? Range { get; set; }
    public bool Get { get; set; }
    public bool Head { get; set; }
    public bool Json { get; set; }
    public bool NoGlobs { get; set; }

    /// <summary>Whether it keeps the responses' cookies for the commands that follow.</summary>
    public bool KeepsCookies { get; set; }

    /// <summary>Why the requests cannot be sent as they are.</summary>
    public string? Problem { get; set; }

    /// <summary>curl sends the verb as typed, but .NET sends the verbs that it knows in upper case.</summary>
    public string Verb => Method is { Length: > 0 }
        ? Method.All(char.IsAsciiLetter) ? HttpMethod.Parse(Method).Method : Method
        : Head ? "HEAD" : Get || (_data is null && Parts.Count == 0) ? "GET" : "POST";

    /// <summary>How many characters of the options are repeated for each URL.</summary>
    public long LengthForEachUrl =>
        (_data?.Length ?? 0) + Queries.Concat(HeaderLines).Concat(Cookies).Concat(Parts.Select(part => part.Name + part.Value))
            .Append(User).Append(Bearer).Append(Agent).Append(Referer).Append(Range).Sum(text => (long)(text?.Length ?? 0));

    public void AddData(string data, string separator)
    {
        _data = _data is null ? new(data) : _data.Append(separator).Append(data);
        Data = null;
    }
}
