using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Runtime.CompilerServices;
using AsyncProbe.Blocking.Stacks;
using AsyncProbe.Clocks;
using AsyncProbe.Common;
using AsyncProbe.Requests;
using AsyncProbe.Requests.Endpoints;
using AsyncProbe.Rules;

namespace AsyncProbe.Blocking.Sites;

/// <summary>
/// Follows EF Core's commands and transactions on the thread that runs them, without a reference to EF Core. It reads from the thread's
/// clock how long the thread was blocked in between, and takes the stack only when that is long enough for a site. It skips waits that the
/// hook has recorded.
/// </summary>
/// <remarks>
/// It does not follow the reading of rows, because anything that the application does between two rows would count as time in the database.
/// A save is the exception: no application code runs then, and SQLite commits a single command only after its rows were read.
/// </remarks>
[FrameOwner(FrameOwner.Hook)]
internal sealed class EfCoreCommands(WaitRecorder recorder, EndpointTable endpoints, Faults faults, Duration minimum)
    : IObserver<DiagnosticListener>
{
    private const string Listener = "Microsoft.EntityFrameworkCore";
    private const string Executing = "Microsoft.EntityFrameworkCore.Database.Command.CommandExecuting";
    private const string Executed = "Microsoft.EntityFrameworkCore.Database.Command.CommandExecuted";
    private const string Failed = "Microsoft.EntityFrameworkCore.Database.Command.CommandError";
    private const string Starting = "Microsoft.EntityFrameworkCore.Database.Transaction.TransactionStarting";
    private const string Started = "Microsoft.EntityFrameworkCore.Database.Transaction.TransactionStarted";
    private const string Committing = "Microsoft.EntityFrameworkCore.Database.Transaction.TransactionCommitting";
    private const string Committed = "Microsoft.EntityFrameworkCore.Database.Transaction.TransactionCommitted";
    private const string Disposed = "Microsoft.EntityFrameworkCore.Database.Transaction.TransactionDisposed";
    private const string Saving = "Microsoft.EntityFrameworkCore.Update.SaveChangesStarting";
    private const string Saved = "Microsoft.EntityFrameworkCore.Update.SaveChangesCompleted";
    private const string SaveFailed = "Microsoft.EntityFrameworkCore.Update.SaveChangesFailed";
    private const string SaveCanceled = "Microsoft.EntityFrameworkCore.Update.SaveChangesCanceled";

    // The start of the command or transaction that the calling thread is running.
    [ThreadStatic]
    private static Began t_began;

    // Whether EF Core is saving on the calling thread.
    [ThreadStatic]
    private static bool t_isSaving;

    private readonly Lock _lock = new();
    private readonly List<IDisposable> _subscriptions = [];

    // Weak, because the application may unload EF Core.
    private readonly ConditionalWeakTable<Type, Shape> _shapes = [];

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
        lock (_lock)
        {
            _subscriptions.ForEach(s => s.Dispose());
            _subscriptions.Clear();
        }
    }

    private void Listen(DiagnosticListener efCore)
    {
        // EF Core raises only the events that a listener asks for.
        var listening = new Listening(this);
        listening.Subscription = efCore.Subscribe(
            listening, name => name is Executing or Executed or Failed or Starting or Started or Committing or Committed or Disposed
                or Saving or Saved or SaveFailed or SaveCanceled);
        Keep(listening);
    }

    private void OnEvent(string name, object? payload)
    {
        if (ThreadSlots.Mine is not { Probe: { Totals: { } totals } probe } slot || !endpoints.Owns(totals))
        {
            return;
        }

        Follow(name, payload, slot, probe, totals);

        // Only now: the request doesn't hold up other writers while it waits for its own turn, but it does while it commits.
        if (name is Started or Committed or Disposed)
        {
            NoteTransaction(probe, name, payload);
        }
    }

    private void Follow(string name, object? payload, ThreadSlot slot, RequestProbe probe, EndpointTotals totals)
    {
        if (name is Saving)
        {
            t_isSaving = true;
            return;
        }

        var now = Timestamp.Now();
        if (name is Executing or Starting or Committing)
        {
            t_began = new Began(slot.StartedAt, now, slot.Mark(now), WaitRecorder.BlockedAtLocks);
            return;
        }

        var began = t_began;
        t_began = default;

        // In another segment, there was an await in between, and another thread may have waited.
        var endsSave = name is Saved or SaveFailed or SaveCanceled;
        if (began.Segment != default && began.Segment == slot.StartedAt && endsSave == began.IsRestOfSave)
        {
            var mark = slot.Mark(now);
            if (mark.Blocked > began.Mark.Blocked)
            {
                OnBlocked(probe, totals, in began, mark, payload);
            }
        }

        if (endsSave)
        {
            t_isSaving = false;
        }
        else if (t_isSaving && name is Executed && ProviderOf(payload) is { } provider)
        {
            t_began = new Began(slot.StartedAt, now, slot.Mark(now), WaitRecorder.BlockedAtLocks) { Provider = provider };
        }
    }

    // SQLite lets one transaction write at a time. A transaction that is rolled back ends when it is disposed.
    private void NoteTransaction(RequestProbe probe, string name, object? payload)
    {
        if (name is not Started)
        {
            probe.Waits?.EndWriting(Timestamp.Now());
        }
        else if (ProviderOf(payload) == SynchronousProviders.Sqlite)
        {
            probe.WaitsOrNew().BeginWriting(Timestamp.Now());
        }
    }

    private void OnBlocked(RequestProbe probe, EndpointTotals totals, in Began began, in HeldSplit mark, object? payload)
    {
        // Collector pauses are not the fault of any application line.
        var blocked = mark.BlockedOutsideGc - began.Mark.BlockedOutsideGc;
        var provider = began.Provider ?? ProviderOf(payload);
        if (provider is null && blocked < minimum)
        {
            return;
        }

        // EF Core writes to its log before it raises this event, and the log may make the thread wait.
        var took = ShapeOf(payload)?.TookOf(payload!) ?? blocked;
        if (provider is not null)
        {
            totals.Provider = provider;

            // A thread that sleeps before a retry sleeps through collections.
            var whole = Duration.Min(mark.Blocked - began.Mark.Blocked, took);
            var isRetry = SynchronousProviders.IsRetry(provider, whole);
            probe.WaitsOrNew().AddProvider(isRetry ? whole : Duration.Min(blocked, took), isRetry);
        }

        // The hook records the locks that the thread waited for, so the command gets only the rest.
        var own = Duration.Min(blocked - (WaitRecorder.BlockedAtLocks - began.BlockedAtLocks), took);
        if (own > Duration.Zero && own >= minimum && WaitRecorder.LastRecordedAt <= began.At)
        {
            recorder.End(probe, own, new StackTrace(1, fNeedFileInfo: false), provider);
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

    private SynchronousProvider? ProviderOf(object? payload) => ShapeOf(payload)?.ProviderOf(payload!);

    private Shape? ShapeOf(object? payload) => payload is null ? null : _shapes.GetValue(payload.GetType(), static type => new Shape(type));

    /// <summary>
    /// Observes one listener. EF Core creates a listener for each of its service providers and disposes it with the provider, so the
    /// subscriptions must not pile up here.
    /// </summary>
    private sealed class Listening(EfCoreCommands commands) : IObserver<KeyValuePair<string, object?>>, IDisposable
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
                commands.Note(e);
            }
        }

        public void OnCompleted() => commands.Forget(this);

        public void OnError(Exception error)
        {
        }

        public void Dispose() => Subscription?.Dispose();
    }

    /// <summary>The properties of an event's type that are read here.</summary>
    [UnconditionalSuppressMessage("Trimming", "IL2070",
        Justification = "EF Core fills them itself; trimmed away, the provider is not named and the log counts with the command.")]
    private sealed class Shape(Type type)
    {
        // The command or the transaction. Its type belongs to the provider.
        private readonly PropertyInfo? _command = type.GetProperty("Command") ?? type.GetProperty("Transaction");

        private readonly PropertyInfo? _took = type.GetProperty("Duration");

        /// <summary>How long the command or transaction took, by EF Core's clock; null if the event doesn't say.</summary>
        public Duration? TookOf(object payload) => _took?.GetValue(payload) is TimeSpan took ? Duration.From(took) : null;

        /// <summary>The provider, if it is synchronous inside; null otherwise.</summary>
        public SynchronousProvider? ProviderOf(object payload) =>
            _command?.GetValue(payload) is { } part ? SynchronousProviders.Find(part.GetType()) : null;
    }

    private readonly struct Began(Timestamp segment, Timestamp at, HeldSplit mark, Duration blockedAtLocks)
    {
        /// <summary>
        /// When the thread's open segment began. It identifies the segment: no two segments of a thread begin at the same time.
        /// </summary>
        public readonly Timestamp Segment = segment;

        public readonly Timestamp At = at;

        /// <summary>What the segment's time consisted of by then.</summary>
        public readonly HeldSplit Mark = mark;

        public readonly Duration BlockedAtLocks = blockedAtLocks;

        /// <summary>
        /// The provider of a save's last command, for the time from its end to the end of the save. Null for a command or a transaction.
        /// </summary>
        public SynchronousProvider? Provider { get; init; }

        public bool IsRestOfSave => Provider is not null;
    }
}
