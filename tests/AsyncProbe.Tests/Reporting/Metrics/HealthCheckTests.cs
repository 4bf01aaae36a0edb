using AsyncProbe.Common;
using AsyncProbe.Pool.Diagnosis;
using AsyncProbe.Pool.Sampling;
using AsyncProbe.Reporting.Metrics;
using Microsoft.AspNetCore.Builder;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Logging.Abstractions;
using Microsoft.Extensions.Options;

namespace AsyncProbe.Tests.Reporting.Metrics;

public sealed class HealthCheckTests
{
    [Theory]
    [InlineData(0, null, HealthStatus.Healthy)]
    [InlineData(60, null, HealthStatus.Degraded)]
    [InlineData(600, null, HealthStatus.Unhealthy)]
    [InlineData(60, HealthStatus.Degraded, HealthStatus.Degraded)]
    [InlineData(600, HealthStatus.Degraded, HealthStatus.Degraded)]
    [InlineData(60, HealthStatus.Healthy, HealthStatus.Healthy)]
    public async Task Status_FollowsThePool_AndIsNoWorseThanTheRegistrationsFailureStatus(
        int queueDelayMs, HealthStatus? failureStatus, HealthStatus expected)
    {
        // From a host that is never started, so that the watcher adds nothing.
        await using var services = new ServiceCollection().AddLogging().AddSingleton<IConfiguration>(new ConfigurationManager())
            .AddAsyncProbe().Services.BuildServiceProvider();
        var pool = services.GetRequiredService<PoolMonitor>();
        var delay = queueDelayMs * Duration.Millisecond;
        for (var i = 0; i < 3; i++)
        {
            pool.OnTick(new PoolSample(DateTime.UtcNow, 4, 17, 0, 4, delay, delay), LiveSegments.None);
        }

        var check = new HealthCheck(() => (PoolWatch.On, pool.Verdict, pool.Latest), services.GetRequiredService<Faults>());
        var result = await check.CheckHealthAsync(Asked(check, failureStatus));

        result.Status.ShouldBe(expected);
        result.Data["pending"].ShouldBe(17L);
        result.Description.ShouldNotBeNullOrEmpty();
    }

    [Fact]
    public async Task Description_SaysWhereThreadsOfNobodyAre_WhenTheyStarveThePool()
    {
        var delay = 600 * Duration.Millisecond;
        var sample = new PoolSample(DateTime.UtcNow, 10, 17, 0, 10, delay, delay) { Unclaimed = 9 };
        var diagnosis = new PoolDiagnosis(PoolCause.Blocked, sample, 1, 1, null, 0, "PriceFeed.OnTimer (PriceFeed.cs:40)")
        {
            IsUnclaimed = true,
            UnclaimedIdle = 9,
        };
        await using var services = new ServiceCollection().AddLogging().AddSingleton<IConfiguration>(new ConfigurationManager())
            .AddAsyncProbe().Services.BuildServiceProvider();

        var check = new HealthCheck(
            () => (PoolWatch.On, new PoolVerdict(PoolCondition.Starved, sample.At, diagnosis), sample), services.GetRequiredService<Faults>());
        var result = await check.CheckHealthAsync(Asked(check, failureStatus: null));

        result.Status.ShouldBe(HealthStatus.Unhealthy);
        result.Description.ShouldNotBeNull().ShouldContain("9 of 10 busy threads");
        result.Description.ShouldContain("PriceFeed.OnTimer (PriceFeed.cs:40)");
    }

    [Fact]
    public async Task Endpoint_AnswersHealthy_WhenThePoolIsFree()
    {
        await using var app = await ProbedApp.StartAsync(
            a => a.MapHealthChecks("/health"),
            configure: b => b.Services.AddHealthChecks().AddAsyncProbe());

        // A slow start may have caused a little queueing.
        await Eventually.TrueAsync(async () => await app.TextAsync("/health") == "Healthy", "a free pool is not healthy");
    }

    // The check once said that the pool was healthy and that no work item waited, which nothing had measured.
    [Fact]
    public async Task Check_HasNoFigures_WhenAsyncProbeIsSwitchedOff()
    {
        await using var app = await ProbedApp.StartAsync(
            _ => { },
            configure: b =>
            {
                b.Configuration["AsyncProbe:Enabled"] = "false";
                b.Services.AddHealthChecks().AddAsyncProbe();
            });

        var report = await app.Services.GetRequiredService<HealthCheckService>().CheckHealthAsync();

        var entry = report.Entries.Values.ShouldHaveSingleItem();
        entry.Status.ShouldBe(HealthStatus.Healthy);
        entry.Description.ShouldNotBeNull().ShouldContain("does not watch");
        entry.Data.ShouldBeEmpty();
    }

    // The last verdict says nothing about the pool once the watcher is gone. Once an orchestrator restarted such a host again and again.
    [Theory]
    [InlineData(false, null, HealthStatus.Healthy)]
    [InlineData(true, null, HealthStatus.Degraded)]
    [InlineData(true, HealthStatus.Healthy, HealthStatus.Healthy)]
    public async Task LastVerdict_DoesNotCount_WhenThePoolIsNoLongerWatched(bool isLost, HealthStatus? failureStatus, HealthStatus expected)
    {
        var delay = 600 * Duration.Millisecond;
        var check = new HealthCheck(
            () => (isLost ? PoolWatch.Lost : PoolWatch.Off, new PoolVerdict(PoolCondition.Starved, DateTime.UtcNow, null),
                new PoolSample(DateTime.UtcNow, 4, 17, 0, 4, delay, delay)),
            new Faults(NullLogger<Faults>.Instance));

        var result = await check.CheckHealthAsync(Asked(check, failureStatus));

        result.Status.ShouldBe(expected);
        result.Data.ShouldBeEmpty();
    }

    [Fact]
    public async Task Check_IsDegradedAndCounted_WhenItFails_AndRightTheNextTime()
    {
        var faults = new Faults(NullLogger<Faults>.Instance);
        var fails = true;
        var check = new HealthCheck(
            () => fails
                ? throw new InvalidOperationException("no verdict")
                : (PoolWatch.On, new PoolVerdict(PoolCondition.Healthy, DateTime.UtcNow, null),
                    new PoolSample(DateTime.UtcNow, 4, 0, 0, 4, Duration.Zero, Duration.Zero)),
            faults);

        var failed = await check.CheckHealthAsync(Asked(check));
        fails = false;
        var next = await check.CheckHealthAsync(Asked(check));

        // Unhealthy would get the application restarted for a fault in AsyncProbe.
        failed.Status.ShouldBe(HealthStatus.Degraded);
        failed.Description!.ShouldContain("could not tell");
        next.Status.ShouldBe(HealthStatus.Healthy);
        faults.Count.ShouldBe(1);
    }

    [Fact]
    public void Registration_CarriesWhatWasAskedFor()
    {
        var services = new ServiceCollection();
        services.AddHealthChecks().AddAsyncProbe("pool", HealthStatus.Degraded, ["ready"], TimeSpan.FromSeconds(3));
        using var provider = services.BuildServiceProvider();

        var registration = provider.GetRequiredService<IOptions<HealthCheckServiceOptions>>().Value.Registrations.ShouldHaveSingleItem();

        registration.Name.ShouldBe("pool");
        registration.FailureStatus.ShouldBe(HealthStatus.Degraded);
        registration.Tags.ShouldBe(["ready"]);
        registration.Timeout.ShouldBe(TimeSpan.FromSeconds(3));
    }

    [Fact]
    public async Task Check_NamesTheMissingCall_WhenAddAsyncProbeWasForgotten()
    {
        await using var services = new ServiceCollection().AddLogging().AddHealthChecks().AddAsyncProbe().Services.BuildServiceProvider();

        var check = () => services.GetRequiredService<HealthCheckService>().CheckHealthAsync();

        (await check.ShouldThrowAsync<InvalidOperationException>()).Message.ShouldContain("builder.Services.AddAsyncProbe()");
    }

    private static HealthCheckContext Asked(IHealthCheck check, HealthStatus? failureStatus = null) =>
        new() { Registration = new HealthCheckRegistration("asyncprobe", check, failureStatus, null) };
}
