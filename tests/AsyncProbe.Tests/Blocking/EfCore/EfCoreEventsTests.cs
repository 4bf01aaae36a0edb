using System.Diagnostics;
using AsyncProbe.Blocking.EfCore;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;

namespace AsyncProbe.Tests.Blocking.EfCore;

/// <summary>The runtime holds a lock of the whole process while it tells observers of a new listener.</summary>
public sealed class EfCoreEventsTests
{
    private const string Name = "Microsoft.EntityFrameworkCore";

    // Once each of the two threads held the lock that the other one waited for. No listener could be created in the process after that.
    [Fact]
    public async Task Unsubscribe_DoesNotHang_WhileAListenerIsCreated()
    {
        await using var services = new ServiceCollection().AddLogging().AddSingleton<IConfiguration>(new ConfigurationManager())
            .AddAsyncProbe().Services.BuildServiceProvider();
        var events = services.GetRequiredService<EfCoreEvents>();
        using var gate = new CreationGate();
        events.Subscribe();

        // The runtime tells the newest observer first, so this one runs before ours.
        var subscription = DiagnosticListener.AllListeners.Subscribe(gate);
        DiagnosticListener? efCore = null;
        var creator = new Thread(() => efCore = new DiagnosticListener(Name)) { IsBackground = true };
        var stopper = new Thread(events.Unsubscribe) { IsBackground = true };
        creator.Start();
        gate.Entered.Wait(ProbedApp.Timeout).ShouldBeTrue();
        stopper.Start();
        Eventually.Spin(() => stopper.ThreadState.HasFlag(System.Threading.ThreadState.WaitSleepJoin));
        gate.Leave.Set();

        creator.Join(ProbedApp.Timeout).ShouldBeTrue("the creation of a listener hangs");
        stopper.Join(ProbedApp.Timeout).ShouldBeTrue("the stopping host hangs");
        efCore.ShouldNotBeNull().IsEnabled().ShouldBeFalse("a stopped host still listens");
        efCore.Dispose();

        // Takes the same lock, so it would keep a failed test from ending.
        subscription.Dispose();
    }

    private sealed class CreationGate : IObserver<DiagnosticListener>, IDisposable
    {
        public ManualResetEventSlim Entered { get; } = new();

        public ManualResetEventSlim Leave { get; } = new();

        public void OnNext(DiagnosticListener value)
        {
            if (value.Name == Name)
            {
                Entered.Set();
                Leave.Wait(ProbedApp.Timeout);
            }
        }

        public void OnCompleted()
        {
        }

        public void OnError(Exception error)
        {
        }

        public void Dispose()
        {
            Entered.Dispose();
            Leave.Dispose();
        }
    }
}
