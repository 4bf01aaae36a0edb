using System.Net;
using System.Text.Json;

namespace AsyncProbe.Stories.Tests.Sins;

/// <summary>Every sin blocks as long as it says and no innocent endpoint does, wherever it is in the request.</summary>
public sealed class SinsTests(SharedSample sample) : IClassFixture<SharedSample>
{
    // Most waits spin before they block, some 25 times (SemaphoreSlim 140 times), and on a crowded core each spin gives it up for
    // milliseconds. That part is rightly counted as cpuWait, and doesn't grow with the wait: so anything that failed is asked again, for
    // longer.
    private static readonly int[] s_ms = [80, 320, 1000, 4000];

    [Fact]
    public Task Sins_BlockAndInnocentsDoNot_AfterAnAwait() => ShouldBlockAsync("later");

    [Theory]
    [InlineData("first")]
    [InlineData("library")]
    [Trait("Category", "Full")]
    public Task Sins_BlockAndInnocentsDoNot_InOtherPositions(string position) => ShouldBlockAsync(position);

    private static async Task ShouldBlockAsync(string position)
    {
        await using var app = await TestApp.StartSampleAsync();
        List<string> wrong = [];
        foreach (var sin in await SinsAsync(app))
        {
            var route = sin.GetProperty("route").GetString()!;
            var found = "";
            for (var i = 0; i < s_ms.Length && found is not null; i++)
            {
                found = await WrongAsync(app, sin, $"{route}?ms={s_ms[i]}&position={position}", s_ms[i] / 2);
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
        var app = sample.App;
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
        var app = sample.App;
        var all = JsonDocument.Parse(await app.TextAsync("/sins")).RootElement.EnumerateArray().ToList();
        var routes = all.Select(sin => sin.GetProperty("route").GetString()).ToList();

        routes.ShouldBeUnique();
        routes.ShouldContain("/sins/endless");
        all.Single(sin => sin.GetProperty("route").GetString() == "/sins/endless").GetProperty("isInAll").GetBoolean().ShouldBeFalse();
    }

    [Fact]
    public async Task Endless_LastsUntilTheCallerLeaves_WhenAsked()
    {
        var app = sample.App;
        using var patience = new CancellationTokenSource();
        var endless = app.Client.GetAsync(new Uri("/sins/endless", UriKind.Relative), patience.Token);
        await Eventually.TrueAsync(
            async () => JsonDocument.Parse(await app.TextAsync("/_threadpool")).RootElement.GetProperty("now").EnumerateArray()
                .Any(now => now.GetProperty("endpoint").GetString() == "GET /sins/endless" && now.GetProperty("heldMs").GetDouble() > 1500),
            "nothing hangs");

        await patience.CancelAsync();
        await Should.ThrowAsync<OperationCanceledException>(endless);

        var row = await app.EndpointAsync("GET /sins/endless");
        row.GetProperty("blockedMs").GetProperty("total").GetDouble().ShouldBeGreaterThan(500);
    }

    [Fact]
    public async Task BodyRead_BlocksAndItsTwinDoesNot_WhenTheBodyIsSlow()
    {
        var app = sample.App;
        using var sync = await PostSlowlyAsync(app, "/sins/body-read");
        using var awaited = await PostSlowlyAsync(app, "/sins/body-read-async");

        sync.Number("X-AsyncProbe-Blocked-Ms").ShouldBeGreaterThan(SlowContent.Ms / 3.0);
        (await app.TextAsync("/_threadpool?endpoint=body-read")).ShouldContain("\"SyncIO\"");
        awaited.Number("X-AsyncProbe-Blocked-Ms").ShouldBeLessThan(SlowContent.Ms / 5.0);
    }

    // The body is sent when the server asks for it. Sent at once, it would arrive before a slow server begins to read, and there would be
    // nothing to wait for.
    private static async Task<HttpResponseMessage> PostSlowlyAsync(TestApp app, string path)
    {
        using var request = new HttpRequestMessage(HttpMethod.Post, path) { Content = new SlowContent() };
        request.Headers.ExpectContinue = true;
        using var client = new HttpClient(new SocketsHttpHandler { Expect100ContinueTimeout = TestApp.Timeout })
        {
            BaseAddress = app.Client.BaseAddress,
        };
        return await client.SendAsync(request).WaitAsync(TestApp.Timeout);
    }

    // A wait that counted as cpuWait leaves no site, so not every sin has one; existing sites must have the kind that the list promises.
    // Any of them may also meet a lock whose holder lost its core, as in LockInnocents.Brief: a real wait, but rare.
    private static async Task ShouldHaveTheirKindsAsync(TestApp app)
    {
        var sites = JsonDocument.Parse(await app.TextAsync("/_threadpool")).RootElement.GetProperty("sites").EnumerateArray().ToList();
        List<string> named = [], excused = [];
        foreach (var sin in await SinsAsync(app))
        {
            var route = sin.GetProperty("route").GetString()!;
            var kinds = sites.Where(site => BelongsTo(site, route)).Select(site => site.GetProperty("kind").GetString()).ToList();
            var promised = sin.GetProperty("kind").GetString();
            if (promised != "Lock" && kinds.Count > 0 && kinds.All(kind => kind == "Lock"))
            {
                excused.Add(route);
            }
            else if (kinds.Count > 0)
            {
                kinds.ShouldContain(promised, route);
                named.Add(route);
            }
        }

        named.Count.ShouldBeGreaterThan(20);
        excused.Count.ShouldBeLessThanOrEqualTo(3, string.Join(", ", excused));

        static bool BelongsTo(JsonElement site, string route) =>
            site.GetProperty("endpoints").EnumerateArray().Any(e => e.GetString()!.Split(' ')[1] == route);
    }

    private static async Task<string?> WrongAsync(TestApp app, JsonElement sin, string path, double half)
    {
        using var answer = await app.GetAsync(path);
        var blocked = answer.Number("X-AsyncProbe-Blocked-Ms");
        return blocked > half == Expected(sin) && (int)answer.StatusCode is 200 or 418
            ? null
            : $"{path}: {answer.StatusCode}, blocked {blocked} ms, {string.Join(", ", answer.Headers.GetValues("Server-Timing"))}";
    }

    // It blocks after its answer was sent, so that answer's header can't show it.
    private static bool Expected(JsonElement sin) =>
        sin.GetProperty("seenBy").ValueKind == JsonValueKind.String && sin.GetProperty("route").GetString() != "/sins/after-response";

    private static async Task<List<JsonElement>> SinsAsync(TestApp app) =>
        [.. JsonDocument.Parse(await app.TextAsync("/sins")).RootElement.EnumerateArray().Where(
            sin => sin.GetProperty("isInAll").GetBoolean())];

    private sealed class SlowContent : HttpContent
    {
        public const int Ms = Parts * PauseMs;

        private const int Parts = 4;
        private const int PauseMs = 300;

        protected override async Task SerializeToStreamAsync(Stream stream, TransportContext? context)
        {
            for (var i = 0; i < Parts; i++)
            {
                await stream.WriteAsync(new byte[10]);
                await stream.FlushAsync();
                await Task.Delay(PauseMs);
            }
        }

        protected override bool TryComputeLength(out long length)
        {
            length = 0;
            return false;
        }
    }
}
