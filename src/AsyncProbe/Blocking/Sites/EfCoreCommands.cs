using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using AsyncProbe.Blocking.Stacks;
using AsyncProbe.Common;
using AsyncProbe.Requests;
using AsyncProbe.Requests.Endpoints;

namespace AsyncProbe.Blocking.Sites;

/// <summary>
/// Hears of EF Core's synchronous commands on the thread that ran them, armed or not, without a reference to EF Core. What the hook has
/// recorded already is not recorded again.
/// </summary>
[FrameOwner(FrameOwner.Hook)]
internal sealed class EfCoreCommands(WaitRecorder recorder, EndpointTable endpoints, Faults faults, Duration minimum)
    : IObserver<DiagnosticListener>
{
    private const string Listener = "Microsoft.EntityFrameworkCore";
    private const string Executing = "Microsoft.EntityFrameworkCore.Database.Command.CommandExecuting";
    private const string Starting = "Microsoft.EntityFrameworkCore.Database.Transaction.TransactionStarting";
    private const string Started = "Microsoft.EntityFrameworkCore.Database.Transaction.TransactionStarted";
    private const string Committing = "Microsoft.EntityFrameworkCore.Database.Transaction.TransactionCommitting";
    private const string Committed = "Microsoft.EntityFrameworkCore.Database.Transaction.TransactionCommitted";
    private const string Executed = "Microsoft.EntityFrameworkCore.Database.Command.CommandExecuted";
    private const string Failed = "Microsoft.EntityFrameworkCore.Database.Command.CommandError";

    // What the request had been blocked for when the command of a synchronous provider, its transaction or its commit, began on this
    // thread.
    [ThreadStatic]
    private static (RequestProbe? Probe, Duration Blocked) t_began;

    private readonly Lock _lock = new();
    private volatile bool _hasSynchronousProvider;
    private readonly List<IDisposable> _subscriptions = [];
    private Shape? _shape;

    public void Subscribe() => Keep(DiagnosticListener.AllListeners.Subscribe(this));

    public void OnNext(DiagnosticListener value)
    {
        if (value.Name == Listener)
        {
            faults.Guard(() => Listen(value));
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
        lock (_lock)
        {
            _subscriptions.ForEach(s => s.Dispose());
            _subscriptions.Clear();
        }
    }

    private void Listen(DiagnosticListener efCore)
    {
        // The filter keeps EF Core from making the events that nobody here reads.
        var listening = new Listening(this);
        listening.Subscription = efCore.Subscribe(
            listening,
            name => name is Executed or Failed
                || (_hasSynchronousProvider && name is Executing or Starting or Started or Committing or Committed));
        Keep(listening);
    }

    private void OnCommand(KeyValuePair<string, object?> value)
    {
        if (value.Value is not { } payload || ThreadSlots.Mine?.Probe is not { Totals: { } totals } probe || !endpoints.Owns(totals))
        {
            return;
        }

        var shape = ShapeOf(payload.GetType());
        if (value.Key is Executing or Committing)
        {
            // A command of another connection may be under way in a provider that is asynchronous; its end is on whatever thread.
            t_began = shape.ProviderOf(payload) is null ? default : (probe, probe.SoFar().Blocked);
            return;
        }

        if (value.Key == Starting)
        {
            // There is no transaction yet that could tell the provider; its end can.
            t_began = (probe, probe.SoFar().Blocked);
            return;
        }

        if (shape.ProviderOf(payload) is { } provider)
        {
            OnEnded(probe, totals, provider);
        }

        if (value.Key is Started or Committed || shape.SynchronousDuration(payload) is not { } duration)
        {
            return;
        }

        // A lock that the thread waited for meanwhile is recorded as that, and is not all of the command.
        var startedAt = Timestamp.Now() - duration;
        var own = duration - WaitRecorder.LocksWithin(startedAt);
        var isRecordedByTheHook = WaitRecorder.LastRecordedAt > startedAt;
        if (own < minimum || isRecordedByTheHook)
        {
            return;
        }

        recorder.End(probe, own, new StackTrace(1, fNeedFileInfo: false));
    }

    // Such a provider begins and ends on one thread, so what the thread was blocked for in between is the provider's.
    private void OnEnded(RequestProbe probe, EndpointTotals totals, string provider)
    {
        _hasSynchronousProvider = true;
        totals.Provider = provider;
        var (began, before) = t_began;
        t_began = default;
        if (began == probe && probe.SoFar().Blocked - before is var blocked && blocked > Duration.Zero)
        {
            probe.WaitsOrNew().AddProvider(blocked, SynchronousProviders.IsRetry(provider, blocked));
        }
    }

    private void Note(Exception exception) => faults.Note(exception);

    private void Keep(IDisposable subscription)
    {
        lock (_lock)
        {
            _subscriptions.Add(subscription);
        }
    }

    private void Forget(IDisposable subscription)
    {
        lock (_lock)
        {
            _subscriptions.Remove(subscription);
        }
    }

    private Shape ShapeOf(Type type)
    {
        var shape = _shape;
        if (shape?.Type != type)
        {
            _shape = shape = new Shape(type);
        }

        return shape;
    }

    /// <summary>
    /// Hears one listener. EF Core makes one for each service provider of its own, and disposes it with that: none may pile up here.
    /// </summary>
    private sealed class Listening(EfCoreCommands commands) : IObserver<KeyValuePair<string, object?>>, IDisposable
    {
        public IDisposable? Subscription { get; set; }

        public void OnNext(KeyValuePair<string, object?> value)
        {
            try
            {
                commands.OnCommand(value);
            }
            catch (Exception e)
            {
                // It would come out of the application's own query.
                commands.Note(e);
            }
        }

        public void OnCompleted() => commands.Forget(this);

        public void OnError(Exception error)
        {
        }

        public void Dispose() => Subscription?.Dispose();
    }

    /// <summary>The properties of an event's type that matter here.</summary>
    [UnconditionalSuppressMessage("Trimming", "IL2070",
        Justification = "EF Core fills both itself; trimmed away, the command is not named and still counted as blocked.")]
    private sealed class Shape(Type type)
    {
        private readonly PropertyInfo? _isAsync = type.GetProperty("IsAsync");
        private readonly PropertyInfo? _duration = type.GetProperty("Duration");

        // The command, or the transaction, whose types are the provider's.
        private readonly PropertyInfo? _command = type.GetProperty("Command") ?? type.GetProperty("Transaction");

        public Type Type { get; } = type;

        /// <summary>The provider, if it is synchronous inside; null otherwise.</summary>
        public string? ProviderOf(object payload) =>
            _command?.GetValue(payload) is { } part ? SynchronousProviders.NameOf(part.GetType()) : null;

        /// <summary>Null for an asynchronous command.</summary>
        public Duration? SynchronousDuration(object payload) =>
            _isAsync?.GetValue(payload) is false && _duration?.GetValue(payload) is TimeSpan duration ? Duration.From(duration) : null;
    }
}
