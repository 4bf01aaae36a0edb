using System.Collections.Concurrent;
using System.Text.Json;

namespace AsyncProbe.Stories.Tests.Sins;

/// <summary>Sixteen concurrent clients commit every sin twice each, in a separate process.</summary>
public sealed class ManyClientsTests
{
    private const int Clients = 16;
    private const int Ms = 40;
    private const int Times = 2;

    [Fact]
    public async Task NoRequestIsLost_AndEachSiteStaysWithItsEndpoint()
    {
        await using var sample = await SampleProcess.StartAsync("--environment", "Development");
        var sins = JsonDocument.Parse(await sample.TextAsync("/sins")).RootElement.EnumerateArray()
            .Where(sin => sin.GetProperty("isInAll").GetBoolean()).ToList();
        ConcurrentDictionary<string, int> sent = new();
        ConcurrentBag<string> wrong = [];
        await Task.WhenAll(Enumerable.Range(0, Clients).Select(async client =>
        {
            for (var i = 0; i < Times * sins.Count; i++)
            {
                // Each client starts at a different sin.
                var route = sins[(i + (client * sins.Count / Clients)) % sins.Count].GetProperty("route").GetString()!;
                sent.AddOrUpdate("GET " + route, 1, (_, n) => n + 1);
                using var answer = await sample.Client.GetAsync(new Uri($"{route}?ms={Ms}", UriKind.Relative));
                if ((int)answer.StatusCode is not (200 or 418))
                {
                    wrong.Add($"{route}: {answer.StatusCode}");
                }
            }
        }));

        wrong.ShouldBeEmpty();
        var report = await CountedAsync(sample, sent);
        var sites = report.GetProperty("sites").EnumerateArray().ToList();
        ShouldStayWithTheirEndpoints(sites);
        ShouldNameEachSin(sins, sites);
        Console.WriteLine($"{sent.Values.Sum()} requests over {sins.Count} routes, {sites.Count} sites.");
    }

    // The client has its last answer a moment before the server has counted it.
    private static async Task<JsonElement> CountedAsync(SampleProcess sample, ConcurrentDictionary<string, int> sent)
    {
        JsonElement report = default;
        List<string> lost = [];
        await Eventually.TrueAsync(
            async () =>
            {
                report = await sample.ReportAsync();
                var counted = report.GetProperty("endpoints").EnumerateArray()
                    .ToDictionary(e => e.GetProperty("endpoint").GetString()!, e => e.GetProperty("requests").GetInt64());
                lost =
                    [.. sent.Where(s => counted.GetValueOrDefault(s.Key) != s.Value).Select(
                        s => $"{s.Key}: {s.Value} sent, {counted.GetValueOrDefault(s.Key)} counted")];
                return lost.Count == 0;
            },
            () => string.Join('\n', lost));
        return report;
    }

    private static void ShouldStayWithTheirEndpoints(IEnumerable<JsonElement> sites)
    {
        sites.Where(IsTheSamples).Where(site => EndpointsOf(site).Count() != 1).Select(s => s.ToString()).ShouldBeEmpty();

        static IEnumerable<string> EndpointsOf(JsonElement site) => site.GetProperty("endpoints").EnumerateArray()
            .Select(e => e.GetString()!.Replace(" (after response)", "", StringComparison.Ordinal)).Distinct();
    }

    // Each sin has its own method. On a crowded core a short wait may end while it still spins, but not on every call.
    private static void ShouldNameEachSin(IEnumerable<JsonElement> sins, List<JsonElement> sites)
    {
        var named = sites.SelectMany(s => s.GetProperty("endpoints").EnumerateArray()).Select(e => e.GetString()!).ToHashSet();
        var hooked = sins.Where(s => s.GetProperty("seenBy").GetString() == "hook").Select(s => "GET " + s.GetProperty("route").GetString())
            .ToList();
        hooked.Except(named).Count().ShouldBeLessThan(hooked.Count / 2, "not named: " + string.Join(", ", hooked.Except(named)));
        Console.WriteLine("Not named: " + string.Join(", ", hooked.Except(named)));

        var innocent = sins.Where(s => s.GetProperty("seenBy").ValueKind == JsonValueKind.Null)
            .Select(s => "GET " + s.GetProperty("route").GetString());

        // Sometimes a few milliseconds really are lost to another thread's lock. An innocent endpoint mistaken for a sin would be blocked
        // for all of its wait.
        sites.Where(IsTheSamples)
            .Where(s => s.GetProperty("endpoints").EnumerateArray().Any(e => innocent.Contains(e.GetString())))
            .Where(s => s.GetProperty("blockedMs").GetProperty("max").GetDouble() > Ms / 4.0)
            .Select(s => s.ToString()).ShouldBeEmpty();
    }

    // A wait in the server or a library without any application frame belongs to the request that it served.
    private static bool IsTheSamples(JsonElement site) =>
        site.GetProperty("file").GetString() is not null && !IsTrueInACrowd(site);

    // Starting a process is synchronous, one at a time, even if its end is awaited. And the holder of a brief lock may lose its core, which
    // makes the next thread wait long: in the server, a library or an innocent endpoint. Only LockSins holds one for long on purpose.
    private static bool IsTrueInACrowd(JsonElement site) =>
        site.GetProperty("at").GetString() is "Nap.Start"
        || (site.GetProperty("kind").GetString() == "Lock"
            && !site.GetProperty("at").GetString()!.StartsWith("LockSins.", StringComparison.Ordinal))
        || site.GetProperty("endpoints").EnumerateArray().All(e => e.GetString() == "GET /sins/process-wait-async");
}
