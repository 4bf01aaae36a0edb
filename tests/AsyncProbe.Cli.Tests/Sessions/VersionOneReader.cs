using System.Text.Json;
using System.Text.RegularExpressions;

namespace AsyncProbe.Cli.Tests.Sessions;

/// <summary>
/// The strict rules of version 1, independent of the tool's own reader: what that version would load from a file, and a complaint
/// for everything that the safe recipe forbids.
/// </summary>
internal static partial class VersionOneReader
{
    public sealed record Loaded(string Verb, string Url, string Name, string Body);

    public static (List<Loaded> Requests, JsonElement Options, List<string> Complaints) Read(byte[] file)
    {
        var complaints = new List<string>();
        if (file.AsSpan().StartsWith((byte[])[0xEF, 0xBB, 0xBF]))
        {
            complaints.Add("byte order mark");
        }

        var text = new System.Text.UTF8Encoding(false, throwOnInvalidBytes: true).GetString(file);
        if (LoneLineFeed().IsMatch(text))
        {
            complaints.Add("a line that ends without CR");
        }

        if (!text.EndsWith("\r\n", StringComparison.Ordinal))
        {
            complaints.Add("no final newline");
        }

        const string start = "----- Start WebSurge Options -----";
        const string end = "----- End WebSurge Options -----";
        var cut = text.IndexOf(start, StringComparison.Ordinal);
        var close = text.IndexOf(end, StringComparison.Ordinal);
        if (cut < 0 || close < cut)
        {
            complaints.Add("options markers");
            return ([], default, complaints);
        }

        using var options = JsonDocument.Parse(text[(cut + start.Length)..close]);
        var requests = new List<Loaded>();
        var blocks = Separator().Split(text[..cut]);
        if (blocks[^1].Trim().Length > 0)
        {
            complaints.Add("the last request has no separator after it");
        }

        foreach (var block in blocks.Select(block => block.Trim()).Where(block => block.Length > 0))
        {
            requests.Add(ReadBlock(block, complaints));
        }

        return (requests, options.RootElement.Clone(), complaints);
    }

    private static Loaded ReadBlock(string block, List<string> complaints)
    {
        var lines = block.Split("\r\n");
        var line = RequestLine().Match(lines[0]);
        if (!line.Success)
        {
            complaints.Add($"request line: {lines[0]}");
        }

        var name = "";
        var i = 1;
        for (; i < lines.Length && lines[i].Length > 0; i++)
        {
            var parts = lines[i].Split(':', 2);
            if (parts.Length < 2 || parts[1].Trim().Length == 0 || parts[0].Trim() != parts[0])
            {
                complaints.Add($"header: {lines[i]}");
            }
            else if (parts[0].Equals("Websurge-Request-Name", StringComparison.OrdinalIgnoreCase))
            {
                name = parts[1].Trim();
            }
        }

        var body = string.Join("\r\n", lines.Skip(i + 1));
        if (line.Groups["verb"].Value == "GET" && body.Length > 0)
        {
            complaints.Add("a GET with a body");
        }

        if (lines.Skip(1).Any(text => text.StartsWith("HTTP/", StringComparison.Ordinal)))
        {
            complaints.Add("an embedded response");
        }

        return new(line.Groups["verb"].Value, line.Groups["url"].Value, name, body);
    }

    [GeneratedRegex("\\r?\\n-{5,100}\\r?\\n")]
    private static partial Regex Separator();

    [GeneratedRegex("(?<!\\r)\\n")]
    private static partial Regex LoneLineFeed();

    [GeneratedRegex("^(?<verb>[A-Z]+) (?<url>https?://\\S+|/\\S*) HTTP/1\\.1$")]
    private static partial Regex RequestLine();
}
