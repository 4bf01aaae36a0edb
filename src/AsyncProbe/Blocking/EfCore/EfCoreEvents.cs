using System.Diagnostics;
using AsyncProbe.Blocking.Methods;
using AsyncProbe.Common;

namespace AsyncProbe.Blocking.EfCore;

/// <summary>Subscribes to EF Core's events, without a reference to EF Core, and passes them to <see cref="EfCoreCommands"/>.</summary>
[FrameOwner(FrameOwner.Hook)]
internal sealed class EfCoreEvents(EfCoreCommands commands, Faults faults) : IObserver<DiagnosticListener>
{
    private const string Listener = "Microsoft.EntityFrameworkCore";

    private readonly Lock _lock = new();

    // Null once the host has stopped.
    private List<IDisposable>? _subscriptions = [];

    public void Subscribe() => Keep(DiagnosticListener.AllListeners.Subscribe(this));

    public void OnNext(DiagnosticListener value)
    {
        if (value.Name != Listener)
        {
            return;
        }

        // The exception would reach the code that creates the listener. That is often a static constructor, and its class would then be
        // unusable until the process ends.
        try
        {
            Listen(value);
        }
        catch (Exception e)
        {
            faults.Note(e);
        }
    }

    public void OnCompleted()
    {
    }

    public void OnError(Exception error)
    {
    }

    public void Unsubscribe()
    {
        List<IDisposable>? subscriptions;
        lock (_lock)
        {
            (subscriptions, _subscriptions) = (_subscriptions, null);
        }

        // Outside our lock, because this takes the lock that the runtime holds while it calls OnNext.
        subscriptions?.ForEach(s => s.Dispose());
    }

    private void Listen(DiagnosticListener efCore)
    {
        // EF Core raises only the events that a listener asks for.
        var listening = new Listening(this, commands, faults);
        listening.Subscription = efCore.Subscribe(listening, EfCoreCommands.Needs);
        Keep(listening);
    }

    private void Keep(IDisposable subscription)
    {
        lock (_lock)
        {
            if (_subscriptions is not null)
            {
                _subscriptions.Add(subscription);
                return;
            }
        }

        subscription.Dispose();
    }

    private void Forget(IDisposable subscription)
    {
        lock (_lock)
        {
            _subscriptions?.Remove(subscription);
        }
    }

    /// <summary>
    /// Observes one listener. EF Core creates a listener for each of its service providers and disposes it with the provider, so the
    /// subscriptions must not pile up here.
    /// </summary>
    private sealed class Listening(EfCoreEvents events, EfCoreCommands commands, Faults faults)
        : IObserver<KeyValuePair<string, object?>>, IDisposable
    {
        public IDisposable? Subscription { get; set; }

        public void OnNext(KeyValuePair<string, object?> value)
        {
            try
            {
                commands.OnEvent(value.Key, value.Value);
            }
            catch (Exception e)
            {
                // The exception would surface in the application's query.
                faults.Note(e);
            }
        }

        public void OnCompleted() => events.Forget(this);

        public void OnError(Exception error)
        {
        }

        public void Dispose() => Subscription?.Dispose();
    }
}
