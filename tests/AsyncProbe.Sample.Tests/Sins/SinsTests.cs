using System.Net;
using System.Text.Json;

namespace AsyncProbe.Sample.Tests.Sins;

/// <summary>Every sin blocks as long as it says, every innocent does not, wherever in the request.</summary>
public sealed class SinsTests
{
    private const int Ms = 80;

    // Timers may end some milliseconds early, and the wait may begin some after the clock of what is waited for.
    private const double MostOfIt = Ms * 0.7;
    private const double Half = Ms * 0.5;

    // The machine can spoil one call, and hardly three.
    private const int Attempts = 3;

    [Theory]
    [InlineData("first")]
    [InlineData("later")]
    [InlineData("library")]
    public async Task Sins_BlockAndInnocentsDoNot_WhenCalled(string position)
    {
        await using var app = await TestApp.StartSampleAsync();
        List<string> wrong = [];
        foreach (var sin in await SinsAsync(app))
        {
            var route = sin.GetProperty("route").GetString()!;
            var found = "";
            for (var i = 0; i < Attempts && found is not null; i++)
            {
                found = await WrongAsync(app, sin, $"{route}?ms={Ms}&position={position}");
            }

            if (found is not null)
            {
                wrong.Add(found);
            }
        }

        wrong.ShouldBeEmpty();
        await ShouldHaveTheirKindsAsync(app);
    }

    [Fact]
    public async Task Sins_Refuse_WhenTheMillisecondsAreNone()
    {
        await using var app = await TestApp.StartSampleAsync("--Sample:Upstream=false");
        foreach (var sin in await SinsAsync(app))
        {
            foreach (var ms in new[] { "-1", "abc", "999999" })
            {
                using var answer = await app.GetAsync($"{sin.GetProperty("route").GetString()}?ms={ms}");
                await answer.ShouldBeProblemAsync(400);
            }
        }
    }

    [Fact]
    public async Task List_NamesEachRouteOnce_WhenAsked()
    {
        await using var app = await TestApp.StartSampleAsync("--Sample:Upstream=false");
        var all = JsonDocument.Parse(await app.TextAsync("/sins")).RootElement.EnumerateArray().ToList();
        var routes = all.Select(sin => sin.GetProperty("route").GetString()).ToList();

        routes.ShouldBeUnique();
        routes.ShouldContain("/sins/endless");
        all.Single(sin => sin.GetProperty("route").GetString() == "/sins/endless").GetProperty("isInAll").GetBoolean().ShouldBeFalse();
    }

    [Fact]
    public async Task Endless_LastsUntilTheCallerLeaves_WhenAsked()
    {
        await using var app = await TestApp.StartSampleAsync("--Sample:Upstream=false");
        using var patience = new CancellationTokenSource(TimeSpan.FromSeconds(1));

        await Should.ThrowAsync<OperationCanceledException>(
            () => app.Client.GetAsync(new Uri("/sins/endless", UriKind.Relative), patience.Token));

        var row = await app.EndpointAsync("GET /sins/endless");
        row.GetProperty("blockedMs").GetProperty("total").GetDouble().ShouldBeGreaterThan(500);
    }

    [Fact]
    public async Task BodyRead_BlocksAndItsTwinDoesNot_WhenTheBodyIsSlow()
    {
        await using var app = await TestApp.StartSampleAsync("--Sample:Upstream=false");
        // While a cold request is compiled its body arrives, and then there is nothing left to wait for.
        using (await app.Client.PostAsync(new Uri("/sins/body-read", UriKind.Relative), new SlowContent()))
        {
        }

        using var witness = new CrowdWitness();
        using var sync = await app.Client.PostAsync(new Uri("/sins/body-read", UriKind.Relative), new SlowContent());
        var latestMs = witness.Stop();
        using var awaited = await app.Client.PostAsync(new Uri("/sins/body-read-async", UriKind.Relative), new SlowContent());

        var blocked = sync.Number("X-AsyncProbe-Blocked-Ms");
        HasBlocked(blocked, WaitingOf(sync), latestMs, 100).ShouldBeTrue($"blocked {blocked} ms, another thread was {latestMs:0.0} ms late");
        (await app.TextAsync("/_threadpool?endpoint=body-read")).ShouldContain("\"SyncIO\"");
        awaited.Number("X-AsyncProbe-Blocked-Ms").ShouldBeLessThan(100);
    }

    // A wait that passed as waiting has left no site, so not every sin has one; those there are have the kind that the list promises.
    private static async Task ShouldHaveTheirKindsAsync(TestApp app)
    {
        var sites = JsonDocument.Parse(await app.TextAsync("/_threadpool")).RootElement.GetProperty("sites").EnumerateArray().ToList();
        List<string> named = [];
        foreach (var sin in await SinsAsync(app))
        {
            var route = sin.GetProperty("route").GetString()!;
            var kinds = sites.Where(site => BelongsTo(site, route)).Select(site => site.GetProperty("kind").GetString()).ToList();
            if (kinds.Count > 0)
            {
                kinds.ShouldContain(sin.GetProperty("kind").GetString(), route);
                named.Add(route);
            }
        }

        named.Count.ShouldBeGreaterThan(20);

        static bool BelongsTo(JsonElement site, string route) =>
            site.GetProperty("endpoints").EnumerateArray().Any(e => e.GetString()!.Split(' ')[1] == route);
    }

    private static async Task<string?> WrongAsync(TestApp app, JsonElement sin, string path)
    {
        using var witness = new CrowdWitness();
        using var answer = await app.GetAsync(path);
        var blocked = answer.Number("X-AsyncProbe-Blocked-Ms");
        var waiting = WaitingOf(answer);
        var latestMs = witness.Stop();
        var isRight = (Expected(sin) ? HasBlocked(blocked, waiting, latestMs, MostOfIt) : blocked <= Half) && (int)answer.StatusCode is 200 or 418;
        return isRight ? null : $"{path}: {answer.StatusCode}, blocked {blocked} ms, waiting {waiting} ms, another thread was {latestMs:0.0} ms late";
    }

    // Most waits spin first and yield the core meanwhile; on a crowded core all of a short wait passes like that, in the run queue, and is
    // rightly called waiting. Only where somebody else saw the crowd as well: otherwise it must be blocked time.
    private static bool HasBlocked(double blocked, double waiting, double latestMs, double least) =>
        blocked > least || (latestMs > CrowdWitness.CrowdedMs && blocked + waiting > least);

    private static double WaitingOf(HttpResponseMessage answer) =>
        answer.Headers.GetValues("Server-Timing")
            .SelectMany(v => v.Split(", "))
            .Where(v => v.StartsWith("waiting;dur=", StringComparison.Ordinal))
            .Select(v => double.Parse(v["waiting;dur=".Length..], System.Globalization.CultureInfo.InvariantCulture))
            .Single();

    // It blocks when its answer has gone; the header of that answer cannot know.
    private static bool Expected(JsonElement sin) =>
        sin.GetProperty("seenBy").ValueKind == JsonValueKind.String && sin.GetProperty("route").GetString() != "/sins/after-response";

    private static async Task<List<JsonElement>> SinsAsync(TestApp app) =>
        [.. JsonDocument.Parse(await app.TextAsync("/sins")).RootElement.EnumerateArray().Where(sin => sin.GetProperty("isInAll").GetBoolean())];

    private sealed class SlowContent : HttpContent
    {
        protected override async Task SerializeToStreamAsync(Stream stream, TransportContext? context)
        {
            for (var i = 0; i < 4; i++)
            {
                await stream.WriteAsync(new byte[10]);
                await stream.FlushAsync();
                await Task.Delay(60);
            }
        }

        protected override bool TryComputeLength(out long length)
        {
            length = 0;
            return false;
        }
    }
}
