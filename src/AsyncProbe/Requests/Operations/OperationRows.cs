using System.Collections.Concurrent;
using System.Diagnostics;
using AsyncProbe.Common;
using AsyncProbe.Requests.Counts;

namespace AsyncProbe.Requests.Operations;

/// <summary>
/// The operations of one host. Names that differ only in case share a row, which has the first spelling. SignalR ignores the case of a
/// method's name, so a client that spelled one in many ways would otherwise fill the table.
/// </summary>
internal sealed class OperationRows(int most, object table)
    : BoundedRows(most, StringComparer.OrdinalIgnoreCase, () => Create(table, "", RowNames.OtherOperations, RowNames.OtherOperations, null))
{
    // A library that puts an id into each name creates a new name per operation. Beyond this many, names are no longer cached, and each one
    // is converted to its row's name again.
    private const int MostRemembered = 2000;

    // The same goes for a longer name, which a client may have sent.
    private const int LongestRemembered = 256;

    // Hashing two strings would cost more than everything else here, and an app has few kinds of work. Must be a power of two.
    private const int RecentSlots = 64;

    private readonly ConcurrentDictionary<ActivityName, EndpointTotals> _byActivity = new();
    private readonly Recent?[] _recent = new Recent?[RecentSlots];
    private int _remembered;

    /// <summary>Takes a few nanoseconds after the first call for a name.</summary>
    public EndpointTotals GetOrAdd(Activity activity)
    {
        var (source, name) = (activity.Source.Name, activity.DisplayName);
        ref var slot = ref _recent[SlotOf(name)];
        if (Volatile.Read(ref slot) is { } recent && ReferenceEquals(recent.Source, source) && recent.Name == name)
        {
            return recent.Totals;
        }

        var key = new ActivityName(source, name);
        if (_byActivity.TryGetValue(key, out var known))
        {
            Volatile.Write(ref slot, new Recent(source, name, known));
            return known;
        }

        return Add(key, activity);
    }

    // Different names usually differ in length, in the middle or at the end.
    private static int SlotOf(string name) =>
        name.Length == 0 ? 0 : ((name.Length * 31) + (name[^1] * 7) + name[name.Length / 2]) & (RecentSlots - 1);

    private EndpointTotals Add(ActivityName key, Activity activity)
    {
        var name = OperationName.From(key.Name);
        var row = $"{key.Source}: {name}";
        var totals = Find(row) ?? GetOrAdd(row, () => Create(table, key.Source, name, row, activity));
        if (key.Name.Length <= LongestRemembered && Volatile.Read(ref _remembered) < MostRemembered && _byActivity.TryAdd(key, totals))
        {
            Interlocked.Increment(ref _remembered);
        }

        return totals;
    }

    private static EndpointTotals Create(object table, string source, string name, string row, Activity? activity)
    {
        var handler = activity is null ? null : OperationHandler.Find(activity);
        return new EndpointTotals(row, name, "")
        {
            Source = source,
            TableIdentity = table,
            Handler = handler,
            AllowReason = OperationHandler.ReasonOf(handler),
        };
    }

    private readonly record struct ActivityName(string Source, string Name)
    {
        public bool Equals(ActivityName other) => Source == other.Source && Name.Equals(other.Name, StringComparison.OrdinalIgnoreCase);

        public override int GetHashCode() => HashCode.Combine(Source, Name.GetHashCode(StringComparison.OrdinalIgnoreCase));
    }

    /// <summary>The last activity that used a slot.</summary>
    private sealed record Recent(string Source, string Name, EndpointTotals Totals);
}
