using System.Globalization;
using System.Text.RegularExpressions;
using AsyncProbe.Apps.Tests.Running;

namespace AsyncProbe.Apps.Tests.Zoo;

/// <summary>
/// Reads what is true of the zoo's endpoints from the comments in its sources. <c>// truth: GET /path: verdict</c> stands above an endpoint,
/// and <c>// blocks: kind</c> at a line that blocks. Both may go on with more words, separated by commas:
/// <list type="bullet">
/// <item><c>libraries</c>: threads may also wait in libraries.</item>
/// <item><c>needs others</c>: true only while other clients call the endpoint at the same time.</item>
/// <item><c>30 times as often</c>: how often it is called, so that a load of seconds lets windows see it.</item>
/// <item><c>status 503</c>: what it answers.</item>
/// <item><c>in Type.Method</c>: the method; without it, <c>Map</c> of the class that the file is named after.</item>
/// <item><c>from /path</c>: the endpoint that gets there; without it, the one above.</item>
/// <item><c>for 15 ms</c>: how long one wait lasts.</item>
/// <item><c>by Library</c>: who owns the lock.</item>
/// <item><c>;</c> and another kind: the line may also block in that way.</item>
/// <item><c>perhaps</c> or <c>snapshots</c>: who sees it, as in <see cref="SeenBy"/>.</item>
/// </list>
/// A line with <c>// calls: Type.Method</c> calls such a method. In optimised code the method may be inlined, and then this line blocks.
/// </summary>
internal static partial class ZooTruths
{
    private const double Margin = 0.9;

    public static IReadOnlyList<(Call Call, EndpointTruth Truth)> Read()
    {
        List<(Call Call, EndpointTruth Truth)> all = [];
        List<(string From, SiteTruth Site)> sites = [];
        List<(string From, string Method, Place Place)> calls = [];
        var folder = AppProcess.FolderOf("Zoo");
        foreach (var path in Directory.EnumerateFiles(folder, "*.cs", SearchOption.AllDirectories).Order(StringComparer.Ordinal)
            .Where(p => !Path.GetRelativePath(folder, p).StartsWith("obj", StringComparison.Ordinal)))
        {
            var lines = File.ReadAllLines(path);
            var endpoint = "";
            for (var i = 0; i < lines.Length; i++)
            {
                if (Truth().Match(lines[i]) is { Success: true } truth)
                {
                    endpoint = truth.Groups["endpoint"].Value;
                    all.Add(EndpointOf(endpoint, truth.Groups["verdict"].Value, Words(truth)));
                }
                else if (Blocks().Match(lines[i]) is { Success: true } blocks)
                {
                    foreach (var words in blocks.Groups["ways"].Value.Split("; ").Select(way => way.Split(", ")))
                    {
                        var from = words.Where(w => w.StartsWith("from ", StringComparison.Ordinal)).Select(w => "GET " + w[5..]);
                        sites.AddRange(from.DefaultIfEmpty(endpoint).Select(e => (e, SiteOf(words, path, i + 1))));
                    }
                }
                else if (Calls().Match(lines[i]) is { Success: true } called)
                {
                    calls.Add((endpoint, called.Groups["method"].Value, new Place(MethodOf(path), Path.GetFileName(path), i + 1)));
                }
            }
        }

        sites.Select(s => s.From).Except(all.Select(a => a.Truth.Endpoint)).ShouldBeEmpty("sites of endpoints that have no truth");
        return [.. all.Select(a => (a.Call, WithTimes(a.Truth with
        {
            Sites = [.. sites.Where(s => s.From == a.Truth.Endpoint).Select(s => s.Site with
            {
                OrInCaller = [.. calls.Where(c => c.From == a.Truth.Endpoint && c.Method == s.Site.Method).Select(c => c.Place)],
            })],
        })))];
    }

    private static (Call Call, EndpointTruth Truth) EndpointOf(string endpoint, string verdict, IReadOnlyList<string> words)
    {
        var status = words.FirstOrDefault(w => w.StartsWith("status ", StringComparison.Ordinal))?[7..] ?? "200";
        var call = new Call("GET", endpoint["GET ".Length..], endpoint)
        {
            Status = (System.Net.HttpStatusCode)int.Parse(status, CultureInfo.InvariantCulture),
            NeedsOthers = words.Contains("needs others"),
            Share = words.FirstOrDefault(w => w.EndsWith(" times as often", StringComparison.Ordinal)) is { } often
                ? int.Parse(often.Split(' ')[0], CultureInfo.InvariantCulture)
                : 1,
        };
        return (call, new() { Endpoint = endpoint, Verdict = verdict, MayBlockInLibraries = words.Contains("libraries") });
    }

    private static SiteTruth SiteOf(string[] words, string path, int line)
    {
        return new()
        {
            Kind = words[0],
            Method = Find("in ") ?? MethodOf(path),
            File = Path.GetFileName(path),
            Line = line,
            Owner = Find("by "),
            BlocksMs = Find("for ") is { } time ? double.Parse(time.Split(' ')[0], CultureInfo.InvariantCulture) : 0,
            SeenBy = words.Contains("perhaps") ? SeenBy.Perhaps : words.Contains("snapshots") ? SeenBy.Snapshot : SeenBy.Hook,
        };

        string? Find(string prefix) => words.FirstOrDefault(w => w.StartsWith(prefix, StringComparison.Ordinal))?[prefix.Length..];
    }

    // Only a wait that each request makes says how long a request is held.
    private static EndpointTruth WithTimes(EndpointTruth truth) =>
        truth.Sites.Where(s => s.SeenBy != SeenBy.Perhaps).Sum(s => s.BlocksMs) is > 0 and var all
            ? truth with { HeldMs = Between.AtLeast(all * Margin) }
            : truth;

    private static string MethodOf(string path) => Path.GetFileNameWithoutExtension(path) + ".Map";

    private static string[] Words(Match match) => match.Groups["words"].Value.Split(", ", StringSplitOptions.RemoveEmptyEntries);

    [GeneratedRegex(@"// truth: (?<endpoint>[A-Z]+ /\S*): (?<verdict>[\w|]+)(?:, (?<words>.+))?$")]
    private static partial Regex Truth();

    [GeneratedRegex(@"// calls: (?<method>[\w.]+)$")]
    private static partial Regex Calls();

    [GeneratedRegex(@"// blocks: (?<ways>.+)$")]
    private static partial Regex Blocks();
}
