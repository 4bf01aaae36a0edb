using System.Text.Json;
using AsyncProbe.Tests.Blocking;
using Microsoft.AspNetCore.Builder;

namespace AsyncProbe.Tests.Reporting.Profile;

public sealed class ProfileTests
{
    [Theory]
    [InlineData("Development", true)]
    [InlineData("Production", false)]
    public async Task Profile_AddsUpToTheReport_InBothForms(string environment, bool hasStacks)
    {
        await using var app = await StartAsync(environment);
        await app.GetManyAsync("/waits", 3);
        await app.GetManyAsync("/waits-too", 1);
        await app.EndpointAsync("GET /waits", 3);
        await app.EndpointAsync("GET /waits-too", 1);

        var blocked = (await app.ReportAsync()).GetProperty("sites").EnumerateArray().Sum(s => s.Ms("blockedMs", "total"));
        var speedscope = JsonDocument.Parse(await app.TextAsync("/_threadpool/profile?format=speedscope")).RootElement;
        var lines = (await app.TextAsync("/_threadpool/profile?format=collapsed")).Split('\n', StringSplitOptions.RemoveEmptyEntries);

        var profile = speedscope.GetProperty("profiles")[0];
        profile.GetProperty("endValue").GetDouble().ShouldBe(blocked, 0.1);
        profile.GetProperty("weights").EnumerateArray().Sum(w => w.GetDouble()).ShouldBe(blocked, 0.1);
        lines.Sum(line => long.Parse(line[(line.LastIndexOf(' ') + 1)..]) / 1000.0).ShouldBe(blocked, 0.1);
        var names = speedscope.GetProperty("shared").GetProperty("frames").EnumerateArray().Select(f => f.GetProperty("name").GetString()!)
            .ToArray();
        names.ShouldContain("GET /waits");
        names.ShouldContain("Waiting.ForTask");
        names.Contains("ProfileTests.StartAsync").ShouldBe(hasStacks);
        foreach (var sample in profile.GetProperty("samples").EnumerateArray())
        {
            names[sample[0].GetInt32()].ShouldStartWith("GET /");
            names[sample[sample.GetArrayLength() - 1].GetInt32()].ShouldStartWith("[");
            sample.EnumerateArray().ShouldAllBe(frame => frame.GetInt32() >= 0 && frame.GetInt32() < names.Length);
        }
    }

    [Fact]
    public async Task Profile_HoldsTheWantedEndpointsAlone()
    {
        await using var app = await StartAsync("Development");
        await app.GetManyAsync("/waits", 1);
        await app.GetManyAsync("/waits-too", 1);
        await app.EndpointAsync("GET /waits-too", 1);

        (await app.TextAsync("/_threadpool/profile?format=collapsed&endpoint=waits-too")).Split('\n', StringSplitOptions.RemoveEmptyEntries)
            .ShouldAllBe(line => line.StartsWith("GET /waits-too;", StringComparison.Ordinal));
        (await app.TextAsync("/_threadpool/profile?format=collapsed&endpoint=nothing")).ShouldBeEmpty();
    }

    // The second endpoint's time was once listed under the first one's handler.
    [Fact]
    public async Task Stack_IsTheEndpointsOwn_WhenTwoWaitInTheSameHelper()
    {
        await using var app = await ProbedApp.StartAsync(a =>
        {
            a.MapGet("/first", First);
            a.MapGet("/second", Second);
        });
        await app.GetManyAsync("/first", 1);
        await app.GetManyAsync("/second", 1);
        await app.EndpointAsync("GET /second", 1);

        var first = await app.TextAsync("/_threadpool/profile?format=collapsed&endpoint=first");
        var second = await app.TextAsync("/_threadpool/profile?format=collapsed&endpoint=second");
        first.ShouldContain(";ProfileTests.First:");
        first.ShouldNotContain("ProfileTests.Second");
        second.ShouldContain(";ProfileTests.Second:");
        second.ShouldNotContain("ProfileTests.First");
    }

    // All of it was once listed under the path of the first wait.
    [Fact]
    public async Task Stack_IsThatOfEachWait_WhenOneEndpointComesToAHelperOnTwoWays()
    {
        await using var app = await ProbedApp.StartAsync(a => a.MapGet("/both", (bool first) =>
        {
            if (first)
            {
                First();
            }
            else
            {
                Second();
            }
        }));
        await app.GetManyAsync("/both?first=true", 2);
        await app.GetManyAsync("/both?first=false", 1);
        await app.EndpointAsync("GET /both", 3);

        var blocked = (await app.SitesAsync("GET /both")).ShouldHaveSingleItem().Ms("blockedMs", "total");
        var lines = (await app.TextAsync("/_threadpool/profile?format=collapsed")).Split('\n', StringSplitOptions.RemoveEmptyEntries);
        var first = lines.Single(line => line.Contains(";ProfileTests.First:", StringComparison.Ordinal));
        var second = lines.Single(line => line.Contains(";ProfileTests.Second:", StringComparison.Ordinal));

        lines.Length.ShouldBe(2);
        MsOf(first).ShouldBeGreaterThanOrEqualTo(1.9 * Waiting.LongEnoughMs);
        MsOf(second).ShouldBeGreaterThanOrEqualTo(0.95 * Waiting.LongEnoughMs);
        (MsOf(first) + MsOf(second)).ShouldBe(blocked, 0.1);
        static double MsOf(string line) => long.Parse(line[(line.LastIndexOf(' ') + 1)..]) / 1000.0;
    }

    // Work after the response has its own row, and its stack must not be used for the handler's wait.
    [Fact]
    public async Task Stack_IsTheHandlers_ThoughLateWorkWaitedInTheSameHelperBefore()
    {
        var ended = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var app = await ProbedApp.StartAsync(a => a.MapGet("/late", (bool now) =>
        {
            if (now)
            {
                First();
                return;
            }

            _ = Task.Run(async () =>
            {
                await ended.Task;
                Second();
            });
        }));
        await app.GetManyAsync("/late?now=false", 1);
        await app.EndpointAsync("GET /late");
        ended.SetResult();
        await Eventually.TrueAsync(
            async () => (await app.TextAsync("/_threadpool/profile?format=collapsed")).Contains(
                "GET /late (after response);", StringComparison.Ordinal),
            "the late wait was not named");
        await app.GetManyAsync("/late?now=true", 1);
        await app.EndpointAsync("GET /late", 2);

        var lines = (await app.TextAsync("/_threadpool/profile?format=collapsed")).Split('\n');
        var own = lines.Where(line => line.StartsWith("GET /late;", StringComparison.Ordinal)).ToList().ShouldHaveSingleItem();
        own.ShouldContain(";ProfileTests.First:");
        own.ShouldNotContain("ProfileTests.Second");
    }

    [Fact]
    public async Task Tree_AddsUpToTheReport_AndLeavesOutTheFrameworkBetweenOwnFrames()
    {
        await using var app = await StartAsync("Development");
        await app.GetManyAsync("/waits", 2);
        await app.EndpointAsync("GET /waits", 2);

        var blocked = (await app.ReportAsync()).GetProperty("sites").EnumerateArray().Sum(s => s.Ms("blockedMs", "total"));
        var nodes = JsonDocument.Parse(await app.TextAsync("/_threadpool/profile?format=tree")).RootElement.GetProperty("nodes")
            .EnumerateArray().ToList();

        nodes.Where(n => !n.TryGetProperty("parent", out _)).Sum(n => n.GetProperty("blockedMs").GetDouble()).ShouldBe(blocked, 0.1);
        nodes.Select(n => n.GetProperty("name").GetString())
            .ShouldNotContain(name => name!.StartsWith("HttpProtocol.", StringComparison.Ordinal));
        var place = nodes.Single(n => n.GetProperty("name").GetString() == "Waiting.ForTask");
        place.GetProperty("own").GetBoolean().ShouldBeTrue();
        place.GetProperty("file").GetString().ShouldEndWith("Waiting.cs");
    }

    [Fact]
    public async Task Profile_IsNotThere_ForWhoMayNotSeeTheReport()
    {
        await using var app = await ProbedApp.StartAsync(_ => { }, "Production", b => b.Configuration["AsyncProbe:AllowLocal"] = "false");

        (await app.GetAsync("/_threadpool/profile")).StatusCode.ShouldBe(System.Net.HttpStatusCode.NotFound);
    }

    private static void First() => Waiting.ForTask(Waiting.LongEnoughMs);

    private static void Second() => Waiting.ForTask(Waiting.LongEnoughMs);

    private static Task<ProbedApp> StartAsync(string environment) =>
        ProbedApp.StartAsync(
            a =>
            {
                a.MapGet("/waits", () => Waiting.ForTask(Waiting.LongEnoughMs));
                a.MapGet("/waits-too", () => Waiting.ForTask(Waiting.LongEnoughMs));
            },
            environment,
            b => b.Configuration["AsyncProbe:Detection"] = "Always");
}
