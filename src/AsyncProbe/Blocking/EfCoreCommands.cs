using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using AsyncProbe.Requests;

namespace AsyncProbe.Blocking;

/// <summary>
/// Hears of EF Core's synchronous commands on the thread that ran them, armed or not, without a reference to EF Core. What the hook has
/// booked already is not booked again.
/// </summary>
internal sealed class EfCoreCommands(WaitRecorder recorder, Frames frames, EndpointTable endpoints, Faults faults, long minimum)
    : IObserver<DiagnosticListener>, IObserver<KeyValuePair<string, object?>>
{
    private const string Listener = "Microsoft.EntityFrameworkCore";
    private const string Executed = "Microsoft.EntityFrameworkCore.Database.Command.CommandExecuted";
    private const string Failed = "Microsoft.EntityFrameworkCore.Database.Command.CommandError";

    private readonly Lock _lock = new();
    private readonly List<IDisposable> _subscriptions = [];
    private Shape? _shape;

    public void Subscribe() => Keep(DiagnosticListener.AllListeners.Subscribe(this));

    public void OnNext(DiagnosticListener value)
    {
        if (value.Name == Listener)
        {
            // The filter keeps EF Core from making the events that nobody here reads.
            Keep(value.Subscribe(this, static name => name is Executed or Failed));
        }
    }

    public void OnNext(KeyValuePair<string, object?> value)
    {
        try
        {
            OnCommand(value);
        }
        catch (Exception e)
        {
            // It would come out of the application's own query.
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

    private void OnCommand(KeyValuePair<string, object?> value)
    {
        if (value.Value is not { } payload || ThreadSlots.Mine?.Probe is not { Totals: { } totals } probe || !endpoints.Owns(totals))
        {
            return;
        }

        if (ShapeOf(payload.GetType()).SynchronousDuration(payload) is not { } duration)
        {
            return;
        }

        var isBookedByTheHook = WaitRecorder.LastBookedAt > Nanoseconds.Now() - duration;
        if (duration < minimum || isBookedByTheHook)
        {
            return;
        }

        var stack = new StackTrace(1, fNeedFileInfo: false);
        if (BlameFrame.Find(stack, frames, totals.Handler) is { } blame)
        {
            recorder.Book(probe, blame, duration, stack);
        }
    }

    private void Keep(IDisposable subscription)
    {
        lock (_lock)
        {
            _subscriptions.Add(subscription);
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

    /// <summary>The two properties of an event's type that matter here.</summary>
    [UnconditionalSuppressMessage("Trimming", "IL2070", Justification = "EF Core fills both itself; trimmed away, the command is not named and still counted as blocked.")]
    private sealed class Shape(Type type)
    {
        private readonly PropertyInfo? _isAsync = type.GetProperty("IsAsync");
        private readonly PropertyInfo? _duration = type.GetProperty("Duration");

        public Type Type { get; } = type;

        /// <summary>In nanoseconds; null for an asynchronous command.</summary>
        public long? SynchronousDuration(object payload) =>
            _isAsync?.GetValue(payload) is false && _duration?.GetValue(payload) is TimeSpan duration ? Nanoseconds.From(duration) : null;
    }
}
