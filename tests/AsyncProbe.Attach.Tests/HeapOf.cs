using System.Globalization;
using AsyncProbe.Packages.Tests;
using Microsoft.Diagnostics.Runtime;

namespace AsyncProbe.Attach.Tests;

/// <summary>The objects of AsyncProbe in the heap of another process.</summary>
internal static class HeapOf
{
    /// <summary>The number of objects of each type.</summary>
    public static async Task<SortedDictionary<string, int>> ProcessAsync(string pid)
    {
        SortedDictionary<string, int>? types = null;
        await Eventually.TrueAsync(async () => (types = await TryReadAsync(pid)) is not null, () => "a collection was always under way");
        return types!;
    }

    // The signal stops all threads at once. A debugger stops one after the other, and hangs if one of them ends in between.
    private static async Task<SortedDictionary<string, int>?> TryReadAsync(string pid)
    {
        await SignalAsync("-STOP", pid);
        try
        {
            using var target = DataTarget.AttachToProcess(int.Parse(pid, CultureInfo.InvariantCulture), suspend: false);
            using var runtime = target.ClrVersions.ShouldHaveSingleItem().CreateRuntime();
            if (!runtime.Heap.CanWalkHeap)
            {
                return null;
            }

            var names = runtime.Heap.EnumerateObjects()
                .Select(one => one.Type?.Name ?? "")
                .Where(name => name.StartsWith("AsyncProbe.", StringComparison.Ordinal));
            return new(names.CountBy(name => name).ToDictionary(), StringComparer.Ordinal);
        }
        finally
        {
            await SignalAsync("-CONT", pid);
        }
    }

    public static Task<string> SignalAsync(string signal, string pid) =>
        Commands.RunAsync("/", Commands.WithoutAnalyzers, "kill", signal, pid);
}
