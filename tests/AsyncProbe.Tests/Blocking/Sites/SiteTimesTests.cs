using System.Diagnostics;
using Microsoft.AspNetCore.Builder;

namespace AsyncProbe.Tests.Blocking.Sites;

/// <summary>The time of call sites compared with that of their endpoint.</summary>
public sealed class SiteTimesTests
{
    private const int Clients = 6;

    // The report's figures are rounded to a microsecond.
    private const double Rounding = 0.001;

    // Among threads that compute, a thread waits for a core after each wait. That time was once part of the site's.
    [Fact]
    public async Task Sites_AddUpToAtMostTheirEndpoint_WhereThreadsComputeAndWait()
    {
        using var never = new SemaphoreSlim(0);
        using var unset = new ManualResetEvent(false);
        await using var app = await ProbedApp.StartAsync(a => a.MapGet("/waits", () =>
        {
            for (var i = 0; i < 5; i++)
            {
                never.Wait(3);
                Compute();
                unset.WaitOne(3);
                Thread.Sleep(1);
            }
        }));

        await Task.WhenAll(Enumerable.Range(0, Clients).Select(_ => app.GetManyAsync("/waits", 3)));

        var endpoint = await app.EndpointAsync("GET /waits", 3 * Clients);
        var sites = await app.SitesAsync("GET /waits");
        var blocked = endpoint.Ms("blockedMs");
        sites.Length.ShouldBeGreaterThan(0);
        sites.ShouldAllBe(site => site.Ms("blockedMs") <= blocked + (2 * Rounding));
        sites.Sum(site => site.GetProperty("evidence").GetProperty("measuredMs").GetDouble())
            .ShouldBeLessThanOrEqualTo(blocked + ((sites.Length + 1) * Rounding));
    }

    private static void Compute()
    {
        var begin = Stopwatch.GetTimestamp();
        while (Stopwatch.GetElapsedTime(begin).TotalMilliseconds < 5)
        {
            // Deliberately busy.
        }
    }
}
