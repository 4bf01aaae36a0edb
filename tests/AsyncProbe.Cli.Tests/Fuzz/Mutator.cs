namespace AsyncProbe.Cli.Tests.Fuzz;

/// <summary>Changes a text in a few places, always the same ones for the same seed.</summary>
internal sealed class Mutator(int seed, IReadOnlyList<string> corpus)
{
    private const int LongestText = 200_000;

    private static readonly string[] s_words =
    [
        "\"", "\\", "{", "}", "[", "]", ":", ",", "\n", "\r\n", "\0", "\uFFFD", "\uD800", "\u202E", "😀", "{{a}}", "{{%PATH%}}", "{{", "}}", "$",
        "-----\n", "###\n", "b64_", "null", "true", "-1", "0", "1e999", "1e-999", "99999999999999999999", "0.1", "'", "$'\\x", "\\u0000", "%",
        "%00", "http://", "https://[::1]:1/", "//", "?", "#", "..", "/", "@", " ", "\t", "$ref", "#/", "&", "=", "<", ">", "NaN", "Content-Type: ",
        "multipart/form-data; boundary=", "charset=utf-7", "HTTP/1.1", "GET ", "CONNECT ", "Websurge-", "//comment", "/*", "items", "schema",
    ];

    private readonly Random _random = new(seed);

    public string Next()
    {
        var text = Pick(corpus);
        for (var changes = _random.Next(1, 8); changes > 0; changes--)
        {
            text = Change(text);
        }

        return text.Length <= LongestText ? text : text[..LongestText];
    }

    private string Change(string text)
    {
        var at = _random.Next(text.Length + 1);
        var end = Math.Min(text.Length, at + _random.Next(_random.Next(4) == 0 ? 2000 : 12));
        return _random.Next(8) switch
        {
            0 => text[..at],
            1 => text.Remove(at, end - at),
            2 => text.Insert(at, Pick(s_words)),
            3 => text[..at] + Pick(s_words) + text[end..],
            4 => text.Insert(at, text[at..end]),
            5 => text.Insert(at, string.Concat(Enumerable.Repeat(at == end ? Pick(s_words) : text[at..end], _random.Next(1, 300)))),
            6 => text[..at] + Splice(Pick(corpus)),
            _ => text[..at] + (char)_random.Next(_random.Next(2) == 0 ? 128 : 65536) + text[end..],
        };
    }

    private string Splice(string other) => other[_random.Next(other.Length + 1)..];

    private string Pick(IReadOnlyList<string> from) => from[_random.Next(from.Count)];
}
