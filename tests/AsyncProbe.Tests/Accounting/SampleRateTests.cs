using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;

namespace AsyncProbe.Tests.Accounting;

public sealed class SampleRateTests
{
    // A branch that is configured before the app's own UseAsyncProbe has a middleware of its own. It once gave requests a second chance.
    [Fact]
    public async Task Request_HasOneChance_WhenABranchUsesAsyncProbeToo()
    {
        await using var app = await ProbedApp.StartAsync(
            a =>
            {
                a.Map("/branch", branch =>
                {
                    var isSampled = false;
                    branch.Use((context, next) =>
                    {
                        isSampled = IsSampled(context);
                        return next();
                    });
                    branch.UseAsyncProbe();
                    branch.Run(context => context.Response.WriteAsync($"{isSampled} {IsSampled(context)}"));
                });
                a.UseAsyncProbe();
            },
            configure: b => b.Configuration["AsyncProbe:SampleRate"] = "0.5",
            usesProbe: false);

        var answers = new HashSet<string>();
        for (var i = 0; i < 100; i++)
        {
            answers.Add(await app.TextAsync("/branch"));
        }

        answers.ShouldBe(["True True", "False False"], ignoreOrder: true);
    }

    private static bool IsSampled(HttpContext context) => context.Features.Get<IAsyncProbeFeature>() is not null;
}
