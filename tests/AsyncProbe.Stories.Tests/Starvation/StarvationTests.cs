using System.Globalization;
using System.Text.Json;
using System.Text.RegularExpressions;
using Xunit.Abstractions;

namespace AsyncProbe.Stories.Tests.Starvation;

/// <summary>
/// A hundred connections that each wait for a second, with the default pool: what the log and the lifeline report while it lasts, and
/// what the history shows afterwards.
/// </summary>
public sealed class StarvationTests(ITestOutputHelper output)
{
    private const int Connections = 100;

    // On a quiet machine it takes 0.7 to 1.4 s.
    private static readonly TimeSpan s_soon = TimeSpan.FromSeconds(5);

    // Long enough to be an episode in the history, which has one row per second.
    private static readonly TimeSpan s_starvedFor = TimeSpan.FromSeconds(4);

    private static readonly string[] s_withTimes =
    [
        "--Logging:Console:FormatterName=simple", "--Logging:Console:FormatterOptions:SingleLine=true",
        "--Logging:Console:FormatterOptions:UseUtcTimestamp=true",
        "--Logging:Console:FormatterOptions:TimestampFormat=yyyy-MM-ddTHH:mm:ss.fffZ ",
    ];

    // Thread.Sleep isn't a managed wait. Without snapshots AsyncProbe says so; with them the log names the line instead. Either is fine.
    [Theory]
    [InlineData("/sins/task-wait", @" at TaskSins\.Wait \(TaskSins\.cs:\d+\)")]
    [InlineData("/values/sleep",
        @" (at ValuesController\.Sleep \(ValuesController\.cs:\d+\)|location unknown \(Thread\.Sleep, file I/O or native code\))")]
    public async Task Lifeline_NamesCauseEndpointAndPlace_WhileAPlainRequestTimesOut(string path, string place)
    {
        var port = FreePort.Take();
        await using var sample = await SampleProcess.StartAsync(
            ["--AsyncProbe:LifelinePort", $"{port}", "--Sample:Upstream", "false", .. s_withTimes]);
        using var lifeline = new HttpClient(new SocketsHttpHandler { UseProxy = false })
        {
            BaseAddress = new Uri($"http://127.0.0.1:{port}/"),
            Timeout = TestApp.Timeout,
        };
        await WarmAsync(sample, lifeline, path);
        var startedAt = DateTimeOffset.UtcNow;
        await using (new Load(sample.Address, $"{path}?ms=1000", Connections))
        {
            var starved = await LineAsync(sample, "The thread pool is starved, cause blocked: .*");
            var named = await LineAsync(sample, $"The thread pool is starved, cause blocked: .* are blocked in GET {path}{place}");
            output.WriteLine(
                $"{path}: starved after {(starved - startedAt).TotalSeconds:0.00} s, named after {(named - startedAt).TotalSeconds:0.00} "
                    + "s");
            (named - startedAt).ShouldBeLessThan(s_soon);

            using var impatient = new CancellationTokenSource(TimeSpan.FromSeconds(1));
            var plain = sample.Client.GetAsync(new Uri("/values/delay?ms=0", UriKind.Relative), impatient.Token);

            // When the machine has stalled, all waits end at once, and for a moment the threads run.
            JsonElement pool = default;
            await Eventually.TrueAsync(
                async () =>
                {
                    pool = await PoolAsync(lifeline);
                    return (pool.GetProperty("state").GetString(), pool.GetProperty("cause").GetString()) == ("starved", "blocked")
                        && Regex.IsMatch(pool.GetProperty("advice").GetString()!, $"are blocked in GET {path}{place}");
                },
                () => pool.ToString());
            await Should.ThrowAsync<OperationCanceledException>(plain);
            await Task.Delay(s_starvedFor);
        }

        await LineAsync(sample, "The thread pool recovered after");
        await ShowsEpisodeAsync(lifeline, startedAt);
    }

    private static async Task WarmAsync(SampleProcess sample, HttpClient lifeline, string path)
    {
        for (var i = 0; i < 3; i++)
        {
            await sample.TextAsync($"{path}?ms=0");
            await sample.TextAsync("/values/delay?ms=0");
            await lifeline.GetStringAsync(new Uri("/", UriKind.Relative));
        }

        // This includes the client: a load that takes a second to start would be counted as the server's delay.
        await using (new Load(sample.Address, "/values/delay?ms=10", Connections))
        {
            await Task.Delay(TimeSpan.FromSeconds(2));
        }
    }

    /// <summary>When the sample wrote the first matching line, by its own clock: this process may read it late.</summary>
    private static async Task<DateTimeOffset> LineAsync(SampleProcess sample, string pattern)
    {
        var line = new Regex($@"^(\S+) .*{pattern}", RegexOptions.Multiline);
        await Eventually.TrueAsync(() => line.IsMatch(sample.Output), () => $"no line '{pattern}' in:\n{sample.Output}");
        return DateTimeOffset.Parse(line.Match(sample.Output).Groups[1].Value, CultureInfo.InvariantCulture);
    }

    private static async Task ShowsEpisodeAsync(HttpClient lifeline, DateTimeOffset startedAt)
    {
        // The last second of the history contains the longest delay within it, and the calm may have begun in the middle of a second.
        List<JsonElement> seconds = [];
        await Eventually.TrueAsync(
            async () =>
            {
                seconds = [.. (await PoolAsync(lifeline)).GetProperty("history").EnumerateArray().Where(s => At(s) > startedAt)];
                return IsCalm(seconds[^1]);
            },
            () => $"not calm again: {seconds[^1]}");
        var starved = seconds.Where(s => !IsCalm(s)).ToList();
        (At(starved[^1]) - At(starved[0])).ShouldBeGreaterThan(TimeSpan.FromSeconds(2));
        starved.Count(s => s.GetProperty("blockedThreads").GetInt32() >= 2).ShouldBeGreaterThan(starved.Count / 2);
        starved.Max(s => s.GetProperty("pending").GetInt64()).ShouldBeGreaterThan(0);
    }

    private static bool IsCalm(JsonElement second) => second.GetProperty("queueDelayMs").GetDouble() < 500;

    private static DateTimeOffset At(JsonElement second) => second.GetProperty("at").GetDateTimeOffset();

    private static async Task<JsonElement> PoolAsync(HttpClient lifeline) =>
        JsonDocument.Parse(await lifeline.GetStringAsync(new Uri("/", UriKind.Relative))).RootElement.GetProperty("pool");
}
