using System.Text.Json;
using AsyncProbe.Jobs.Tests.Workers;
using Microsoft.Extensions.DependencyInjection;

namespace AsyncProbe.Jobs.Tests;

/// <summary>A worker that blocks is named with kind, method and line; its twin that awaits is not reported.</summary>
public sealed class TwinsTests
{
    private const int Times = 3;

    [Fact]
    public async Task BackgroundServices_AreNamed_WhereTheyBlock()
    {
        await using var app = await JobsApp.StartAsync(s => s.AddHostedService<BlockingService>().AddHostedService<AwaitingService>());

        await ShouldBeNamedAsync(app, "AsyncProbe: service that blocks", "BlockingService.Import", "Services.cs", 19);
        await ShouldBeSilentAsync(app, "AsyncProbe: service that awaits", nameof(AwaitingService));
    }

    [Fact]
    public async Task Timers_AreNamed_WhereTheyBlock()
    {
        await using var app = await JobsApp.StartAsync(s => s.AddHostedService<BlockingTimer>().AddHostedService<AwaitingTimer>());

        await ShouldBeNamedAsync(app, "AsyncProbe: timer that blocks", "BlockingTimer.OnTick", "Timers.cs", 26);
        await ShouldBeSilentAsync(app, "AsyncProbe: timer that awaits", nameof(AwaitingTimer));
    }

    // Quartz gives every job the same name, so both share one row; the line distinguishes them.
    [Fact]
    public async Task QuartzJobs_AreNamed_WhereTheyBlock()
    {
        await using var app = await JobsApp.StartAsync(s => s.AddJobs(), "Quartz");

        await ShouldBeNamedAsync(app, "Quartz: Quartz.Job.Execute", "BlockingJob.Execute", "QuartzJobs.cs", 30);
        await ShouldBeSilentAsync(app, "Quartz: Quartz.Job.Execute", nameof(AwaitingJob));
    }

    [Fact]
    public Task MassTransitConsumers_AreNamed_WhereTheyBlock() => ConsumersShouldBeNamedAsync(broker: null);

    [Fact]
    public async Task MassTransitConsumers_AreNamed_WhereTheyBlock_BehindRabbitMq()
    {
        await using var broker = await RabbitMq.StartAsync();

        await ConsumersShouldBeNamedAsync(broker.Address);
    }

    private static async Task ConsumersShouldBeNamedAsync(Uri? broker)
    {
        await using var app = await JobsApp.StartAsync(s => s.AddConsumers(broker), "MassTransit");

        await ShouldBeNamedAsync(app, "MassTransit: Blocking process", "BlockingConsumer.Consume", "Consumers.cs", 40);
        await ShouldBeSilentAsync(app, "MassTransit: Awaiting process", nameof(AwaitingConsumer));
    }

    private static async Task ShouldBeNamedAsync(JobsApp app, string operation, string at, string file, int line)
    {
        JsonElement report = default;
        JsonElement? found = null;
        await Eventually.TrueAsync(
            async () =>
            {
                report = await app.ReportAsync();

                // The runtime's lock there may have been met first.
                found = Sites(report).Where(s => s.GetProperty("at").GetString() == at && s.GetProperty("kind").GetString() != "Lock")
                    .Cast<JsonElement?>().FirstOrDefault();
                return found is not null;
            },
            () => $"no site at {at} in {report}");

        var site = found!.Value;
        site.GetProperty("kind").GetString().ShouldBe("Task.Wait");
        site.GetProperty("file").GetString().ShouldNotBeNull().ShouldEndWith(file);
        site.GetProperty("line").GetInt32().ShouldBe(line);
        site.GetProperty("endpoints").EnumerateArray().Select(e => e.GetString()).ShouldBe([operation]);
        (await app.OperationAsync(operation, Times)).GetProperty("blockedMs").GetProperty("total").GetDouble().ShouldBeGreaterThan(0);
    }

    private static async Task ShouldBeSilentAsync(JobsApp app, string operation, string type)
    {
        var row = await app.OperationAsync(operation, Times);

        row.GetProperty("durationMs").GetProperty("max").GetDouble().ShouldBeGreaterThan(280);

        // Any code may meet a runtime lock whose owner has lost its core, but none of these waits for a task.
        Sites(await app.ReportAsync())
            .ShouldNotContain(s => s.GetProperty("at").GetString()!.StartsWith(type + ".", StringComparison.Ordinal)
            && s.GetProperty("kind").GetString()!.StartsWith("Task.", StringComparison.Ordinal));
    }

    private static List<JsonElement> Sites(JsonElement report) => [.. report.GetProperty("sites").EnumerateArray()];
}
