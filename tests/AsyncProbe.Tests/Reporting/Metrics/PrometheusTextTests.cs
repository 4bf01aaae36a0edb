using System.Buffers;
using System.Diagnostics;
using System.Net;
using System.Text;
using AsyncProbe.Benchmarks;
using AsyncProbe.Common;
using AsyncProbe.Reporting.Metrics;
using AsyncProbe.Tests.Blocking;
using Microsoft.AspNetCore.Builder;

namespace AsyncProbe.Tests.Reporting.Metrics;

public sealed class PrometheusTextTests
{
    // The header that Prometheus 2.42 sends.
    private const string Scraper =
        "application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1";

    [Theory]
    [InlineData(Scraper, true)]
    [InlineData("application/openmetrics-text; version=1.0.0; escaping=allow-utf-8;q=0.5,text/plain;version=0.0.4;q=0.3,*/*;q=0.2", true)]
    [InlineData("application/openmetrics-text", true)]
    [InlineData("application/openmetrics-text;version=0.0.1,text/plain;version=0.0.4;q=0.5", false)]
    [InlineData("application/openmetrics-text;version=1.0.0;q=0.2,text/plain;version=0.0.4;q=0.9", false)]
    [InlineData("application/openmetrics-text;version=1.0.0;q=0", false)]
    [InlineData("application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited", false)]
    [InlineData("text/plain", false)]
    [InlineData("*/*", false)]
    [InlineData("rubbish,,;q=x", false)]
    [InlineData("", false)]
    public async Task Metrics_AreInTheFormatThatIsAskedFor_AndValid(string accept, bool isOpenMetrics)
    {
        await using var app = await ProbedApp.StartAsync(a => a.MapGet("/wait/{id}", (int id) => Waiting.TaskToWaitFor().Wait()));
        await app.GetAsync("/wait/1");
        await app.EndpointAsync("GET /wait/{id}");

        using var response = await AskAsync(app, accept);

        response.StatusCode.ShouldBe(HttpStatusCode.OK);
        response.Content.Headers.ContentType!.ToString().ShouldBe(
            isOpenMetrics ? "application/openmetrics-text; version=1.0.0; charset=utf-8" : "text/plain; version=0.0.4; charset=utf-8");
        response.Headers.CacheControl!.NoStore.ShouldBeTrue();
        response.Headers.Vary.ShouldBe(["Accept"]);
        var text = ParsedText.Read(await response.Content.ReadAsStringAsync(), isOpenMetrics);
        string[] wait = ["http_route=\"/wait/{id}\"", "http_request_method=\"GET\""];
        text.Sum("asyncprobe_request_held_seconds_count", wait).ShouldBe(1);
        text.Sum("asyncprobe_request_held_seconds_sum", wait).ShouldBeGreaterThan(0.001);
        text.Sum("asyncprobe_blocking_time_seconds_total", [.. wait, "asyncprobe_kind=\"Task.Wait\""]).ShouldBeGreaterThan(0.001);

        // On a crowded machine the event inside the task may wait twice.
        text.Sum("asyncprobe_blocking_calls_total", "asyncprobe_kind=\"Task.Wait\"").ShouldBeInRange(1, 3);
        text.Sum("asyncprobe_thread_pool_state").ShouldBe(1);
        text.Sum("asyncprobe_build_info", "asyncprobe_detection=\"always\"").ShouldBe(1);
        text.Sum("asyncprobe_thread_pool_threads").ShouldBeGreaterThan(0);
    }

    [Fact]
    public async Task Held_IsTheSumOfItsParts_AndWhatTheReportSays()
    {
        await using var app = await ProbedApp.StartAsync(a => a.MapGet("/sleep", () => Thread.Sleep(20)));
        for (var i = 0; i < 5; i++)
        {
            await app.GetAsync("/sleep");
        }

        // The last thread may still be leaving when its request is counted, so the next read shows a little more.
        string[] parts = ["cpu", "cpu_wait", "gc", "blocked"];
        await Eventually.TrueAsync(
            async () =>
            {
                var row = await app.EndpointAsync("GET /sleep", 5);
                var text = await ReadAsync(app);
                var held = text.Sum("asyncprobe_request_held_seconds_sum", "http_route=\"/sleep\"");
                var sum = parts.Sum(part => text.Sum($"asyncprobe_request_{part}_seconds_sum", "http_route=\"/sleep\""));
                return Math.Abs(held - (row.Ms("heldMs") / 1000)) <= 0.000_002 && Math.Abs(held - sum) <= 1e-8;
            },
            "the text does not say what the report says");
    }

    [Fact]
    public async Task Counts_StartAnew_WithThoseOfTheReport()
    {
        await using var app = await ProbedApp.StartAsync(a => a.MapGet("/wait", () => Waiting.TaskToWaitFor().Wait()));
        await app.GetAsync("/wait");
        await app.GetAsync("/wait");
        await app.EndpointAsync("GET /wait", 2);

        (await app.Client.PostAsync(new Uri("/_threadpool/reset", UriKind.Relative), null)).StatusCode.ShouldBe(HttpStatusCode.NoContent);
        var empty = await ReadAsync(app);
        await app.GetAsync("/wait");
        await app.EndpointAsync("GET /wait");
        var one = await ReadAsync(app);

        // For an unknown figure, no series is better than a series of 0.
        empty.Series.Keys.ShouldNotContain(
            s => s.Contains("/wait", StringComparison.Ordinal) || s.Contains("Task.Wait", StringComparison.Ordinal));
        one.Sum("asyncprobe_request_held_seconds_count", "http_route=\"/wait\"").ShouldBe(1);
        one.Sum("asyncprobe_blocking_calls_total", "asyncprobe_kind=\"Task.Wait\"").ShouldBeGreaterThanOrEqualTo(1);
        one.Sum("asyncprobe_blocking_time_seconds_total", "asyncprobe_kind=\"Task.Wait\"").ShouldBeGreaterThan(0);
    }

    [Theory]
    [InlineData("Production", HttpStatusCode.NotFound)]
    [InlineData("Development", HttpStatusCode.OK)]
    public async Task Metrics_AreForThoseWhoMaySeeTheReport(string environment, HttpStatusCode expected)
    {
        await using var app = await ProbedApp.StartAsync(_ => { }, environment, b => b.Configuration["AsyncProbe:AllowLocal"] = "false");

        (await AskAsync(app, Scraper)).StatusCode.ShouldBe(expected);
    }

    [Fact]
    public async Task Metrics_TellNothingOfThePool_WhileNobodyWatchesIt()
    {
        await using var app = await ProbedApp.StartAsync(_ => { }, configure: b => b.Configuration["AsyncProbe:Enabled"] = "false");

        (await ReadAsync(app)).Types.Keys.ShouldBe(["asyncprobe_build_info"]);
    }

    [Theory]
    [InlineData("a \"quoted\" \\ back\\nslash", "a \\\"quoted\\\" \\\\ back\\\\nslash")]
    [InlineData("two\nlines", "two\\nlines")]
    [InlineData("zero\0byte", "zero\uFFFDbyte")]
    [InlineData("käse 🧀 {x=\"y\"}", "käse 🧀 {x=\\\"y\\\"}")]
    [InlineData("", "")]
    public void LabelValue_MayBeAnything(string value, string expected)
    {
        var tags = default(TagList);
        tags.Add("http.route", value);

        Encoding.UTF8.GetString(PrometheusWriter.Labels(tags)).ShouldBe($"http_route=\"{expected}\"");
    }

    [Fact]
    public void LabelValue_MayBeNoUnicode()
    {
        var tags = default(TagList);
        tags.Add("http.route", "half " + '\uD83D' + " a pair");

        Encoding.UTF8.GetString(PrometheusWriter.Labels(tags)).ShouldBe("http_route=\"half \uFFFD a pair\"");
    }

    [Theory]
    [InlineData(0, "0")]
    [InlineData(1, "0.000000001")]
    [InlineData(20_000_000, "0.02")]
    [InlineData(3_000_000_000, "3")]
    [InlineData(61_000_000_100, "61.0000001")]
    public void Seconds_AreExact(long nanoseconds, string expected)
    {
        var buffer = new ArrayBufferWriter<byte>();
        new PrometheusWriter(buffer, PrometheusFormat.Text).Seconds("x"u8, "_sum"u8, [], Duration.FromNanoseconds(nanoseconds));

        Encoding.UTF8.GetString(buffer.WrittenSpan).ShouldBe($"x_sum {expected}\n");
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void LargeApp_StaysBelowTwentyThousandSeries(bool isOpenMetrics)
    {
        using var app = new LargeApp(includesStacks: false);

        var text = Encoding.UTF8.GetString(app.Metrics.MakeCopy(isOpenMetrics ? PrometheusFormat.OpenMetrics : PrometheusFormat.Text));
        var parsed = ParsedText.Read(text, isOpenMetrics);

        parsed.Series.Keys.Count(s => s.StartsWith("asyncprobe_request_held_seconds_count{", StringComparison.Ordinal))
            .ShouldBe(LargeApp.Endpoints);
        parsed.Series.Keys.Count(s => s.StartsWith("asyncprobe_blocking_time_seconds_total{", StringComparison.Ordinal))
            .ShouldBe(LargeApp.Sites);
        parsed.Series.Count.ShouldBeLessThan(20_000);
    }

    [Fact]
    public async Task Sites_HaveAtMostMaxSitesSeries_AndOneForTheRest()
    {
        await using var app = await ProbedApp.StartAsync(
            a =>
            {
                for (var i = 0; i < 8; i++)
                {
                    a.MapGet($"/wait{i}", () => Waiting.TaskToWaitFor().Wait());
                }
            },
            configure: b => b.Configuration["AsyncProbe:MaxSites"] = "3");
        for (var i = 0; i < 8; i++)
        {
            await app.GetAsync($"/wait{i}");
            await app.EndpointAsync($"GET /wait{i}");
        }

        var times = (await ReadAsync(app)).Series.Where(s => s.Key.StartsWith("asyncprobe_blocking_time", StringComparison.Ordinal))
            .ToList();

        // One line, eight endpoints.
        times.Count.ShouldBe(4);
        times.Single(t => t.Key.Contains("http_route=\"(other)\"", StringComparison.Ordinal)).Key.ShouldContain(
            "code_function_name=\"(other)\"");
        times.Sum(t => t.Value).ShouldBeGreaterThan(8 * 0.001);
    }

    private static async Task<ParsedText> ReadAsync(ProbedApp app)
    {
        using var response = await AskAsync(app, Scraper);
        return ParsedText.Read(await response.Content.ReadAsStringAsync(), isOpenMetrics: true);
    }

    private static Task<HttpResponseMessage> AskAsync(ProbedApp app, string accept)
    {
        var request = new HttpRequestMessage(HttpMethod.Get, "/_threadpool/metrics");
        request.Headers.TryAddWithoutValidation("Accept", accept);
        return app.Client.SendAsync(request);
    }
}
