using System.Diagnostics;
using AsyncProbe.Requests;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace AsyncProbe.Tests.Requests.Operations;

/// <summary>
/// Why a hosted service is not automatically an operation (docs/operations.md): nothing that is registered next to the user's services can
/// reach the flow of just one of them. If a runtime changes this, these tests fail, and then there may be a way.
/// </summary>
public sealed class HostedServiceTests : IDisposable
{
    private readonly AsyncLocal<string?> _flow = new();
    private readonly ActivitySource _source = new("Tests." + Guid.NewGuid().ToString("N"));

    public void Dispose() => _source.Dispose();

    [Fact]
    public async Task Flow_OfAService_KnowsNothingOfWhatStartsBeforeIt()
    {
        var first = new Service(() => _flow.Value);
        var second = new Service(() => _flow.Value);
        using var host = Build(s =>
        {
            s.AddSingleton<IHostedService>(new Neighbour(() => _flow.Value = "set before the service"));
            s.AddSingleton<IHostedService>(first);
            s.AddSingleton<IHostedService>(new Neighbour(() => _flow.Value = "set between the services"));
            s.AddSingleton<IHostedService>(second);
        });

        await host.StartAsync().WaitAsync(ProbedApp.Timeout);

        (await first.SeenAsync()).ShouldBeNull();
        (await second.SeenAsync()).ShouldBeNull();
        await host.StopAsync().WaitAsync(ProbedApp.Timeout);
    }

    // The host resolves its services in the flow in which it starts them, so this reaches all of them, including the server.
    [Fact]
    public async Task Flow_OfEveryService_IsTheSame_WhereItIsSetWhileTheyAreMade()
    {
        var first = new Service(() => _flow.Value);
        var second = new Service(() => _flow.Value);
        using var host = Build(s =>
        {
            s.AddSingleton<IHostedService>(_ => Made(first, "first"));
            s.AddSingleton<IHostedService>(_ => Made(second, "second"));
        });

        await host.StartAsync().WaitAsync(ProbedApp.Timeout);

        (await first.SeenAsync()).ShouldBe("second", "it does not tell one service from another");
        (await second.SeenAsync()).ShouldBe("second");
        await host.StopAsync().WaitAsync(ProbedApp.Timeout);

        Service Made(Service service, string name)
        {
            _flow.Value = name;
            return service;
        }
    }

    // What the documents advise instead: your own source, named in the options, without a reference to AsyncProbe where the work is.
    [Fact]
    public async Task HostedService_IsAnOperation_WithAnActivityForEachUnitOfWork()
    {
        RequestProbe? probe = null;
        var service = new Service(() =>
        {
            using var activity = _source.StartActivity("price import");
            probe = ThreadSegments.Current;
            return activity?.DisplayName;
        });
        await using var app = await ProbedApp.StartAsync(
            _ => { },
            configure: b =>
            {
                b.Services.AddSingleton<IHostedService>(service);
                b.Services.Configure<AsyncProbeOptions>(o => o.ActivitySources.Add(_source.Name));
            });

        (await service.SeenAsync()).ShouldBe("price import");
        probe.ShouldNotBeNull();
        (await app.OperationAsync($"{_source.Name}: price import")).Count("requests").ShouldBe(1);
    }

    private static IHost Build(Action<IServiceCollection> addServices) =>
        new HostBuilder().ConfigureServices(addServices).Build();

    /// <summary>A service that AsyncProbe could register next to the user's.</summary>
    private sealed class Neighbour(Action set) : IHostedLifecycleService
    {
        public Task StartingAsync(CancellationToken cancellationToken) => SetAsync();

        public Task StartAsync(CancellationToken cancellationToken) => SetAsync();

        public Task StartedAsync(CancellationToken cancellationToken) => Task.CompletedTask;

        public Task StoppingAsync(CancellationToken cancellationToken) => Task.CompletedTask;

        public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

        public Task StoppedAsync(CancellationToken cancellationToken) => Task.CompletedTask;

        // Not async, so that the value stays set in the caller's flow.
        private Task SetAsync()
        {
            set();
            return Task.CompletedTask;
        }
    }

    private sealed class Service(Func<string?> look) : BackgroundService
    {
        private readonly TaskCompletionSource<string?> _seen = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public Task<string?> SeenAsync() => _seen.Task.WaitAsync(ProbedApp.Timeout);

        protected override Task ExecuteAsync(CancellationToken stoppingToken)
        {
            _seen.TrySetResult(look());
            return Task.CompletedTask;
        }
    }
}
