using AsyncProbe.Common;
using Microsoft.AspNetCore.Builder;

namespace AsyncProbe.Tests.Blocking.Sites;

public sealed class AllowanceTests
{
    [Fact]
    public async Task Attribute_PutsTheWaitUnderItsReason_WithoutAWarning()
    {
        await using var app = await ProbedApp.StartAsync(
            a => a.MapGet("/attribute", [AllowBlocking("legacy driver")] () => Waiting.ForTask()));

        await app.GetManyAsync("/attribute", 1);

        await ShouldBeAllowedAsync(app, "GET /attribute", "legacy driver");
    }

    [Fact]
    public async Task Scope_FlowsWithAwaits_AndEndsWhereItEnds()
    {
        await using var app = await ProbedApp.StartAsync(a => a.MapGet("/scope", async () =>
        {
            using (BlockingScope.Allow("warming up"))
            {
                await Task.Delay(1).ConfigureAwait(false);
                Waiting.ForTask();
            }

            // A wait that doesn't spin first, so it also blocks on a crowded core.
            using var never = new ManualResetEvent(false);
            never.WaitOne(30);
        }));

        await app.GetManyAsync("/scope", 1);
        await app.EndpointAsync("GET /scope");

        var sites = await app.SitesAsync("GET /scope");
        sites.Length.ShouldBe(2);
        sites.Single(s => s.GetProperty("at").GetString() == "Waiting.ForTask").GetProperty("allowed").GetString().ShouldBe("warming up");
        sites.Single(s => s.GetProperty("at").GetString() != "Waiting.ForTask").GetProperty("allowed").GetString().ShouldBeNull();
    }

    // The outer scope's permission came back when the inner one ended, and stayed until the request did.
    [Fact]
    public async Task Scope_StaysEnded_WhenItEndsBeforeAnInnerOne()
    {
        await using var app = await ProbedApp.StartAsync(a => a.MapGet("/crossed", () =>
        {
            var outer = BlockingScope.Allow("outer");
            var inner = BlockingScope.Allow("inner");
            outer.Dispose();
            inner.Dispose();
            Waiting.ForTask();
        }));

        await app.GetManyAsync("/crossed", 1);
        await app.EndpointAsync("GET /crossed");

        (await app.SitesAsync()).ShouldHaveSingleItem().GetProperty("allowed").GetString().ShouldBeNull();
    }

    [Fact]
    public async Task Disallow_ReportsAgain_InsideAScope()
    {
        await using var app = await ProbedApp.StartAsync(a => a.MapGet("/disallow", [AllowBlocking("outer")] () =>
        {
            using (BlockingScope.Allow("inner"))
            using (BlockingScope.Disallow())
            {
                Waiting.ForTask();
            }
        }));

        await app.GetManyAsync("/disallow", 1);
        await app.EndpointAsync("GET /disallow");

        (await app.SitesAsync()).ShouldHaveSingleItem().GetProperty("allowed").GetString().ShouldBeNull();
    }

    // Only the clock sees a sleep.
    [Theory]
    [InlineData("/scope")]
    [InlineData("/attribute")]
    public async Task Disallow_ReportsASleepAgain(string route)
    {
        await using var app = await ProbedApp.StartAsync(a =>
        {
            a.MapGet("/scope", () =>
            {
                using (BlockingScope.Allow("outer"))
                {
                    Sleep();
                }
            });
            a.MapGet("/attribute", [AllowBlocking("outer")] () => Sleep());
        });

        await app.GetManyAsync(route, 1);

        var row = await app.EndpointAsync($"GET {route}");
        row.Count("blockedRequests").ShouldBe(1);
        row.GetProperty("allowedMs").GetProperty("total").GetDouble().ShouldBeInRange(30, 199);

        static void Sleep()
        {
            Thread.Sleep(40);
            using (BlockingScope.Disallow())
            {
                Thread.Sleep(200);
            }
        }
    }

    [Fact]
    public async Task Rule_AllowsByMethodPrefix_AndSaysWhenItMatchesNothing()
    {
        await using var app = await ProbedApp.StartAsync(
            a => a.MapGet("/rule", () => Waiting.ForTask()),
            configure: b =>
            {
                b.Configuration["AsyncProbe:Allow:0:MethodPrefix"] = "AsyncProbe.Tests.Blocking.Waiting.";
                b.Configuration["AsyncProbe:Allow:0:Reason"] = "a test";
                b.Configuration["AsyncProbe:Allow:1:MethodPrefix"] = "Shop.Removed.";
                b.Configuration["AsyncProbe:Allow:1:Reason"] = "gone";
            });

        await app.GetManyAsync("/rule", 1);

        await ShouldBeAllowedAsync(app, "GET /rule", "a test");
        (await app.ReportAsync()).GetProperty("probe").GetProperty("staleAllowRules").EnumerateArray()
            .ShouldHaveSingleItem().GetString().ShouldBe("Shop.Removed.");
    }

    private static async Task ShouldBeAllowedAsync(ProbedApp app, string endpoint, string reason)
    {
        await app.EndpointAsync(endpoint);
        (await app.SitesAsync(endpoint)).ShouldHaveSingleItem().GetProperty("allowed").GetString().ShouldBe(reason);
        await Eventually.TrueAsync(
            () => Task.FromResult(app.Log.All.Any(l => l.Id.Id == 13 && l.Text.Contains(reason, StringComparison.Ordinal))),
            "the allowed site was not logged");

        app.Log.All.ShouldNotContain(l => l.Id.Name == nameof(Log.SiteFound));
    }
}
