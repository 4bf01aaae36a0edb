using System.Globalization;
using System.Text;
using System.Text.Json;

namespace AsyncProbe.Faults.Tests;

/// <summary>
/// Keeps the result of each tenth in the folder that <c>ASYNCPROBE_FAULTS</c> names, and writes there, for each room, how many places
/// exist, were reached and failed in all tenths so far.
/// </summary>
internal static class InjectionTable
{
    public static async Task KeepAsync(int tenth, IReadOnlyList<Place> places, InjectionResult result)
    {
        if (Environment.GetEnvironmentVariable("ASYNCPROBE_FAULTS") is not { Length: > 0 } folder)
        {
            return;
        }

        Directory.CreateDirectory(folder);
        await File.WriteAllTextAsync(Path.Combine(folder, $"tenth-{tenth}.json"), JsonSerializer.Serialize(result));
        InjectionResult all = new();
        foreach (var file in Directory.EnumerateFiles(folder, "tenth-*.json"))
        {
            var one = JsonSerializer.Deserialize<InjectionResult>(await File.ReadAllTextAsync(file))!;
            all.Reached.UnionWith(one.Reached);
            all.FailedCold.UnionWith(one.FailedCold);
            all.FailedWarm.UnionWith(one.FailedWarm);
            all.Escaped.AddRange(one.Escaped);
        }

        await File.WriteAllTextAsync(Path.Combine(folder, "places.md"), Write(places, all));
        await File.WriteAllLinesAsync(Path.Combine(folder, "not-reached.txt"), places
            .Where(place => place.Excluded is null && !all.Reached.Contains(place.Id)).Select(place => $"{place.Id} {place.Method}: {place.What}"));
    }

    private static string Write(IReadOnlyList<Place> places, InjectionResult all)
    {
        var text = new StringBuilder("| room | places | reached | failed cold | failed warm |\n|---|--:|--:|--:|--:|\n");

        // What was reached can run, whatever the rules say.
        var counted = places.Where(place => place.Excluded is null || all.Reached.Contains(place.Id)).ToList();
        foreach (var room in counted.GroupBy(place => place.Room).OrderBy(room => room.Key, StringComparer.Ordinal))
        {
            Add(text, room.Key, [.. room], all);
        }

        Add(text, "all", counted, all);
        text.AppendLine(CultureInfo.InvariantCulture, $"\nBatches in which something went wrong: {all.Escaped.Count}.\n");
        text.AppendLine("| not counted, because they cannot run in a host on Linux | places |\n|---|--:|");
        foreach (var reason in places.Except(counted).GroupBy(place => place.Excluded))
        {
            text.AppendLine(CultureInfo.InvariantCulture, $"| {reason.Key} | {reason.Count()} |");
        }

        return text.ToString();
    }

    private static void Add(StringBuilder text, string name, List<Place> places, InjectionResult all)
    {
        int Count(HashSet<int> set) => places.Count(place => set.Contains(place.Id));
        text.AppendLine(CultureInfo.InvariantCulture,
            $"| {name} | {places.Count} | {Count(all.Reached)} | {Count(all.FailedCold)} | {Count(all.FailedWarm)} |");
    }
}
