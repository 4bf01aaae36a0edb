using System.Diagnostics;
using System.Net;
using System.Text.Json;
using AsyncProbe.Tests;
using Microsoft.AspNetCore.Builder;
using Microsoft.Extensions.Options;

namespace AsyncProbe.StackSnapshots.Tests;

/// <summary>Snapshots on demand: who may ask, and the answers.</summary>
public sealed class PostTests
{
    // The next snapshot may be taken one second after the last.
    private static readonly TimeSpan s_rightAfter = TimeSpan.FromMilliseconds(900);
    private static readonly TimeSpan s_untilTheNext = TimeSpan.FromMilliseconds(1100);

    [Fact]
    public async Task Post_SaysWhereThreadsAreBlocked()
    {
        using var end = new ManualResetEventSlim();
        await using var app = await SnapshotApp.StartAsync(
            a => a.MapGet("/held", () => Sleeper.UntilSet(end)), configure: b => b.Configuration["AsyncProbe:Detection"] = "Off");
        var held = app.GetAsync("/held");

        var found = await app.Client.FindAsync("GET /held");
        end.Set();
        (await held).Dispose();

        found.GetProperty("kind").GetString().ShouldBe("Sleep");
        found.GetProperty("at").GetString().ShouldBe("Sleeper.UntilSet");
        found.GetProperty("file").GetString().ShouldEndWith("Sleeper.cs");
        found.GetProperty("line").GetInt32().ShouldBe(Sleeper.Line);
        found.GetProperty("heldMs").GetDouble().ShouldBeGreaterThanOrEqualTo(found.GetProperty("blockedMs").GetDouble());
        found.GetProperty("blockedMs").GetDouble().ShouldBeGreaterThan(20);
        var probe = (await app.ReportAsync()).GetProperty("probe").GetProperty("snapshots");
        probe.Count("taken").ShouldBeGreaterThan(0);
        probe.GetProperty("lastMs").GetDouble().ShouldBeGreaterThan(0);
    }

    // A hang that went on had no site any more.
    [Fact]
    public async Task Wait_GetsASiteAgain_AfterAReset()
    {
        using var end = new ManualResetEvent(false);
        await using var app = await SnapshotApp.StartAsync(
            a => a.MapGet("/held", () => end.WaitOne()), configure: b => b.Configuration["AsyncProbe:Detection"] = "Off");
        var held = app.GetAsync("/held");
        await app.Client.FindAsync("GET /held");

        (await app.Client.PostAsync(new Uri("/_threadpool/reset", UriKind.Relative), null)).StatusCode.ShouldBe(HttpStatusCode.NoContent);
        await app.Client.FindAsync("GET /held");
        var sites = (await app.ReportAsync()).GetProperty("sites");
        end.Set();
        (await held).Dispose();

        sites.EnumerateArray().ShouldHaveSingleItem().GetProperty("at").GetString()!.ShouldContain(nameof(Wait_GetsASiteAgain_AfterAReset));
    }

    [Fact]
    public async Task Post_FindsNothing_WhereNothingIsBlocked()
    {
        await using var app = await SnapshotApp.StartAsync(_ => { });

        var answer = await app.Client.TakeAsync();

        answer.GetProperty("found").GetArrayLength().ShouldBe(0);
        answer.GetProperty("error").GetString().ShouldBeNull();
    }

    [Fact]
    public async Task Post_IsRefusedWithASentence_RightAfterAnother()
    {
        await using var app = await SnapshotApp.StartAsync(_ => { });
        using var second = await RightAfterAsync(async () =>
        {
            await app.Client.TakeAsync();
            return await app.Client.PostAsync(new Uri("/_threadpool/snapshot", UriKind.Relative), null);
        });

        second.StatusCode.ShouldBe(HttpStatusCode.TooManyRequests);
        second.Headers.RetryAfter.ShouldNotBeNull().Delta.ShouldBe(TimeSpan.FromSeconds(1));
        (await second.Content.ReadAsStringAsync()).ShouldContain("Ask again in a second.");
    }

    [Fact]
    public async Task Posts_AreTakenOneAtATime()
    {
        using var end = new ManualResetEventSlim();
        await using var app = await SnapshotApp.StartAsync(a => a.MapGet("/held", () => Sleeper.UntilSet(end)));
        var held = app.GetAsync("/held");
        await app.Client.FindAsync("GET /held");
        await Task.Delay(s_untilTheNext);

        var answers = await RightAfterAsync(() => Task.WhenAll(Enumerable.Range(0, 4).Select(_ => app.Client.PostAsync())));
        end.Set();
        (await held).Dispose();

        answers.Count(a => a.Status == HttpStatusCode.OK).ShouldBe(1);
        answers.ShouldAllBe(
            a => a.Status == HttpStatusCode.OK || a.Status == HttpStatusCode.Conflict || a.Status == HttpStatusCode.TooManyRequests);
    }

    /// <summary>
    /// The answers to requests that all fell within a second. After a stall the answers show nothing, so it asks again.
    /// </summary>
    private static Task<T> RightAfterAsync<T>(Func<Task<T>> ask)
        where T : class =>
        Eventually.FoundAsync(
            async () =>
            {
                var since = Stopwatch.StartNew();
                var answer = await ask();
                if (since.Elapsed < s_rightAfter)
                {
                    return answer;
                }

                (answer as IDisposable)?.Dispose();
                await Task.Delay(s_untilTheNext);
                return null;
            },
            () => "the answers never came within a second");

    [Theory]
    [InlineData(false, HttpStatusCode.ServiceUnavailable)]
    [InlineData(true, HttpStatusCode.OK)]
    public async Task Post_IsOffOutsideDevelopment_UnlessAllowed(bool isAllowed, HttpStatusCode expected)
    {
        await using var app = await SnapshotApp.StartAsync(
            _ => { }, "Production", b => b.Configuration["AsyncProbe:AllowSnapshotRequests"] = isAllowed.ToString());

        var (status, answer) = await app.Client.PostAsync();

        status.ShouldBe(expected);
        (answer.GetProperty("error").GetString() ?? "").Contains("AsyncProbe:AllowSnapshotRequests", StringComparison.Ordinal)
            .ShouldBe(!isAllowed);
    }

    [Fact]
    public async Task Post_SaysWhatIsMissing_WithoutTheAddOn()
    {
        await using var app = await ProbedApp.StartAsync(_ => { });

        var (status, answer) = await app.Client.PostAsync();

        status.ShouldBe(HttpStatusCode.ServiceUnavailable);
        answer.GetProperty("error").GetString()!.ShouldContain("AddStackSnapshots()");
        (await app.ReportAsync()).GetProperty("probe").GetProperty("snapshots").ValueKind.ShouldBe(JsonValueKind.Null);
    }

    [Fact]
    public async Task Post_OfAnotherSitesPage_IsRefused()
    {
        await using var app = await SnapshotApp.StartAsync(_ => { });
        using var request = new HttpRequestMessage(HttpMethod.Post, "/_threadpool/snapshot");
        request.Headers.Add("Origin", "http://elsewhere.example");

        using var response = await app.Client.SendAsync(request);

        response.StatusCode.ShouldBe(HttpStatusCode.NotFound);
        (await app.ReportAsync()).GetProperty("probe").GetProperty("snapshots").Count("taken").ShouldBe(0);
    }

    [Theory]
    [InlineData("Interval", "00:00:00",
        "AsyncProbe:StackSnapshots:Interval is 00:00:00. Set it to a time (days.hours:minutes:seconds) from 00:00:01 to 1.00:00:00.")]
    [InlineData("Duration", "00:01:00",
        "AsyncProbe:StackSnapshots:Duration is 00:01:00. Set it to a time (days.hours:minutes:seconds) from 00:00:00.0010000 to 00:00:01.")]
    [InlineData("Duratoin", "00:00:01",
        "AsyncProbe:StackSnapshots:Duratoin (value '00:00:01') is not an option of AsyncProbe.StackSnapshots. The options are Duration, "
            + "Interval, SampleUnexplained.")]
    public async Task Option_StopsTheHostWithASentence_WhenWrong(string option, string value, string sentence)
    {
        var e = await Should.ThrowAsync<OptionsValidationException>(
            SnapshotApp.StartAsync(_ => { }, configure: b => b.Configuration["AsyncProbe:StackSnapshots:" + option] = value));

        e.Message.ShouldContain(sentence);
    }
}
