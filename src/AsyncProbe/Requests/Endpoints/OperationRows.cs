using System.Collections.Concurrent;
using System.Diagnostics;

namespace AsyncProbe.Requests.Endpoints;

/// <summary>One host's operations.</summary>
internal sealed class OperationRows(int most, object table)
    : BoundedRows(most, () => Create(table, "", EndpointName.Overflow, EndpointName.Overflow, null))
{
    // A library that puts an id into each name makes a new one for each operation. Beyond so many they are no longer remembered, and each
    // is put into its row's words again.
    private const int MostRemembered = 2000;

    private readonly ConcurrentDictionary<(string Source, string Name), EndpointTotals> _byActivity = new();
    private int _remembered;

    /// <summary>A few nanoseconds after the first time.</summary>
    public EndpointTotals GetOrAdd(Activity activity)
    {
        var key = (activity.Source.Name, activity.DisplayName);
        return _byActivity.TryGetValue(key, out var known) ? known : Add(key, activity);
    }

    private EndpointTotals Add((string Source, string Name) key, Activity activity)
    {
        var name = OperationName.From(key.Name);
        var row = $"{key.Source}: {name}";
        var totals = Find(row) ?? GetOrAdd(row, () => Create(table, key.Source, name, row, activity));
        if (Volatile.Read(ref _remembered) < MostRemembered && _byActivity.TryAdd(key, totals))
        {
            Interlocked.Increment(ref _remembered);
        }

        return totals;
    }

    private static EndpointTotals Create(object table, string source, string name, string row, Activity? activity)
    {
        var handler = activity is null ? null : OperationHandler.Find(activity);
        return new EndpointTotals(row, name, "") { Source = source, Table = table, Handler = handler, AllowReason = OperationHandler.ReasonOf(handler) };
    }
}
