using System.Globalization;
using Microsoft.Diagnostics.Runtime;

namespace AsyncProbe.Attach.Tests;

/// <summary>The objects of AsyncProbe in the heap of another process.</summary>
internal static class HeapOf
{
    /// <summary>The number of objects of each type, while the process stands still.</summary>
    public static SortedDictionary<string, int> Process(string pid)
    {
        using var target = DataTarget.AttachToProcess(int.Parse(pid, CultureInfo.InvariantCulture), suspend: true);
        using var runtime = target.ClrVersions.ShouldHaveSingleItem().CreateRuntime();
        var names = runtime.Heap.EnumerateObjects()
            .Select(one => one.Type?.Name ?? "")
            .Where(name => name.StartsWith("AsyncProbe.", StringComparison.Ordinal));
        return new(names.CountBy(name => name).ToDictionary(), StringComparer.Ordinal);
    }
}
