using MassTransit;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace AsyncProbe.Jobs.Tests.Workers;

/// <summary>MassTransit consumers, with the in-memory transport or a broker.</summary>
internal static class Consumers
{
    public static void AddConsumers(this IServiceCollection services, Uri? broker = null)
    {
        services.AddMassTransit(bus =>
        {
            bus.AddConsumer<BlockingConsumer>();
            bus.AddConsumer<AwaitingConsumer>();
            if (broker is null)
            {
                bus.UsingInMemory((context, transport) => transport.ConfigureEndpoints(context));
                return;
            }

            bus.UsingRabbitMq((context, transport) =>
            {
                transport.Host(broker);
                transport.ConfigureEndpoints(context);
            });
        });
        services.AddHostedService<Publisher>();
    }
}

public sealed record Ordered(int Number);

public sealed record Shipped(int Number);

public sealed class BlockingConsumer : IConsumer<Ordered>
{
    public Task Consume(ConsumeContext<Ordered> context)
    {
        Later.OnAsync(CancellationToken.None).Wait(CancellationToken.None);
        return Task.CompletedTask;
    }
}

public sealed class AwaitingConsumer : IConsumer<Shipped>
{
    public async Task Consume(ConsumeContext<Shipped> context) => await Later.OnAsync(context.CancellationToken);
}

/// <summary>
/// Publishes eight messages at a time. Each is two operations, one inside the other. On two cores at most two operations carry the wait
/// hook, and the outer ones take both places.
/// </summary>
internal sealed class Publisher(IBus bus) : BackgroundService
{
    private const int AtATime = 8;

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        using var timer = new PeriodicTimer(Later.Pause * 5);
        for (var round = 0; await timer.WaitForNextTickAsync(stoppingToken); round++)
        {
            for (var number = 0; number < AtATime; number++)
            {
                await (round % 2 == 0 ? bus.Publish(new Ordered(number), stoppingToken) : bus.Publish(new Shipped(number), stoppingToken));
            }
        }
    }
}
