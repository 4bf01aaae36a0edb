using System.Diagnostics;
using System.Runtime.CompilerServices;
using AsyncProbe.Blocking.Alternatives;
using AsyncProbe.Blocking.Methods;
using AsyncProbe.Blocking.Waits;
using AsyncProbe.Clocks;
using AsyncProbe.Common;
using AsyncProbe.Requests;
using AsyncProbe.Requests.Counts;
using AsyncProbe.Requests.Endpoints;
using AsyncProbe.Rules;

namespace AsyncProbe.Blocking.EfCore;

/// <summary>
/// Follows EF Core's commands and transactions on the thread that runs them. It reads from the thread's clock how long the thread was
/// blocked in between, and takes the stack only when that is long enough for a site. It skips waits that the hook has recorded.
/// </summary>
/// <remarks>
/// It does not follow the reading of rows, because anything that the application does between two rows would count as time in the database.
/// A save is the exception: no application code runs then, and SQLite commits a single command only after its rows were read.
/// </remarks>
[FrameOwner(FrameOwner.Hook)]
internal sealed class EfCoreCommands(WaitRecorder recorder, EndpointTable endpoints, Duration minimum)
{
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

    // The state of EF Core on the calling thread.
    [ThreadStatic]
    private static Work t_work;

    // Weak, because the application may unload EF Core.
    private readonly ConditionalWeakTable<Type, EfCoreEventShape> _shapes = [];

    private enum Stage
    {
        None,

        /// <summary>A command runs, or a transaction begins or is committed.</summary>
        Command,

        /// <summary>EF Core saves, and nothing is measured until its next command.</summary>
        Save,

        /// <summary>A command of a save runs.</summary>
        CommandOfSave,

        /// <summary>A command of a save has ended, and no other has begun. Its provider may still commit it.</summary>
        RestOfSave,
    }

    /// <summary>Whether the event is followed. EF Core raises others only if another subscriber wants them.</summary>
    public static bool Needs(string name) =>
        name is Executing or Executed or Failed or Starting or Started or Committing or Committed or Disposed or Saving || EndsSave(name);

    /// <summary>Called on the thread that does the work.</summary>
    public void OnEvent(string name, object? payload)
    {
        if (!Needs(name) || ThreadSlots.Mine is not { Probe: { Totals: { } totals } probe } slot || !endpoints.Owns(totals))
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
        // In another segment, there was an await in between, and another thread may have waited.
        var before = t_work.Segment == slot.StartedAt ? t_work : default;
        t_work = default;
        var isSaving = before.Stage is Stage.Save or Stage.CommandOfSave or Stage.RestOfSave;
        var isEnd = EndsSave(name)
            ? before.Stage is Stage.RestOfSave
            : before.Stage is Stage.Command or Stage.CommandOfSave && name is not (Executing or Starting or Committing or Saving);
        if (isEnd && slot.Mark(Timestamp.Now()) is var mark && mark.Blocked > before.Mark.Blocked)
        {
            OnBlocked(probe, totals, in before, mark, payload);
        }

        t_work = name switch
        {
            Saving => new Work(Stage.Save, slot.StartedAt),
            Executing or Starting or Committing => Begin(isSaving ? Stage.CommandOfSave : Stage.Command, slot),
            Executed when isSaving && ProviderOf(payload) is { } provider => Begin(Stage.RestOfSave, slot) with { Provider = provider },
            _ when isSaving && !EndsSave(name) => new Work(Stage.Save, slot.StartedAt),
            _ => default,
        };
    }

    private static bool EndsSave(string name) => name is Saved or SaveFailed or SaveCanceled;

    private static Work Begin(Stage stage, ThreadSlot slot)
    {
        var now = Timestamp.Now();
        return new Work(stage, slot.StartedAt) { At = now, Mark = slot.Mark(now), BlockedAtLocks = WaitRecorder.BlockedAtLocks };
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

    private void OnBlocked(RequestProbe probe, EndpointTotals totals, in Work work, in HeldSplit mark, object? payload)
    {
        // Collector pauses are not the fault of any application line.
        var blocked = mark.BlockedOutsideGc - work.Mark.BlockedOutsideGc;
        var provider = work.Provider ?? ProviderOf(payload);
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
            var whole = Duration.Min(mark.Blocked - work.Mark.Blocked, took);
            var isRetry = SynchronousProviders.IsRetry(provider, whole);
            probe.WaitsOrNew().AddProvider(isRetry ? whole : Duration.Min(blocked, took), isRetry);
        }

        // The hook records the locks that the thread waited for, so the command gets only the rest.
        var own = Duration.Min(blocked - (WaitRecorder.BlockedAtLocks - work.BlockedAtLocks), took);
        if (own > Duration.Zero && own >= minimum && WaitRecorder.LastRecordedAt <= work.At)
        {
            recorder.End(probe, own, new StackTrace(1, fNeedFileInfo: false), provider);
        }
    }

    private SynchronousProvider? ProviderOf(object? payload) => ShapeOf(payload)?.ProviderOf(payload!);

    private EfCoreEventShape? ShapeOf(object? payload) =>
        payload is null ? null : _shapes.GetValue(payload.GetType(), static type => new EfCoreEventShape(type));

    /// <summary>The state of EF Core on a thread.</summary>
    /// <param name="Stage">How far it is.</param>
    /// <param name="Segment">
    /// When the thread's open segment began. It identifies the segment: no two segments of a thread begin at the same time.
    /// </param>
    private readonly record struct Work(Stage Stage, Timestamp Segment)
    {
        /// <summary>When the stage began; not set in a stage that isn't measured.</summary>
        public Timestamp At { get; init; }

        /// <summary>What the segment's time consisted of by then.</summary>
        public HeldSplit Mark { get; init; }

        public Duration BlockedAtLocks { get; init; }

        /// <summary>The provider of the command that has ended.</summary>
        public SynchronousProvider? Provider { get; init; }
    }
}
