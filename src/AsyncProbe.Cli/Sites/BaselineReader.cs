using System.Text.Json;
using AsyncProbe.Cli.Sessions;
using AsyncProbe.Cli.Snapshots;

namespace AsyncProbe.Cli.Sites;

/// <summary>Reads a baseline from any result that this tool saves, or directly from the server's report.</summary>
internal static class BaselineReader
{
    private const int KnownSchema = 1;

    public static async Task<Baseline> ReadAsync(string file, CancellationToken cancellationToken)
    {
        try
        {
            await using var stream = File.OpenRead(file);
            using var json = await JsonDocument.ParseAsync(stream, cancellationToken: cancellationToken);
            return Read(file, json.RootElement);
        }
        catch (JsonException e)
        {
            throw new SessionException($"{file}({(e.LineNumber ?? 0) + 1}): error: the baseline is not JSON. {HowToMake(file)}");
        }
        catch (InvalidOperationException)
        {
            // Half a surrogate pair is not valid text.
            throw new SessionException($"The baseline {file} cannot be read: it holds text that is none. {HowToMake(file)}");
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new SessionException($"The baseline {file} cannot be read: {SessionFile.WhyNot(e)}. {HowToMake(file)}");
        }
    }

    public static Baseline Read(string file, JsonElement root)
    {
        if (root.Number("schema") is not { } schema)
        {
            throw new SessionException($"The baseline {file} is not a result of asyncprobe. {HowToMake(file)}");
        }

        if (schema != KnownSchema)
        {
            throw new SessionException(
                $"The baseline {file} does not have schema {KnownSchema}, which this asyncprobe reads. {HowToMake(file)}");
        }

        var sides = Sides(root)
            .Where(side => side.Child("knownSites").ValueKind == JsonValueKind.Array && side.Text("status") is null or "joined")
            .ToList();
        if (sides.Count > 0)
        {
            return new Baseline(sides.SelectMany(side => side.Items("knownSites")).SelectMany(site => Identities(site, "method")));
        }

        return root.Child("pool").ValueKind == JsonValueKind.Object
            ? new Baseline(root.Items("sites").SelectMany(site => Identities(site, "at")))
            : throw new SessionException(
                $"The baseline {file} holds no call sites, because no server's report was in that result. {HowToMake(file)}");
    }

    /// <summary>Finds the parts of a result that describe servers, by the result's kind.</summary>
    private static IEnumerable<JsonElement> Sides(JsonElement root) => root.Text("kind") switch
    {
        "run" => [root.Child("server")],
        "state" => [root],
        "sweep" => root.Items("runs").Select(run => run.Child("server")),
        "comparison" => root.Items("sessions").SelectMany(session => session.Items("rounds")).Select(run => run.Child("server")),
        "observation" => root.Items("replicas").Select(replica => replica.Child("server")),
        _ => [],
    };

    private static IEnumerable<SiteIdentity> Identities(JsonElement site, string method) =>
        site.Texts("endpoints").Select(endpoint => new SiteIdentity(endpoint, site.Text("kind") ?? "", site.Text(method) ?? ""));

    private static string HowToMake(string file) => $"Make one with asyncprobe run … --save {file}.";
}
