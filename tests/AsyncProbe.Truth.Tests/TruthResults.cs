using System.Collections.Concurrent;
using AsyncProbe.Truth.Tests.Generator;

namespace AsyncProbe.Truth.Tests;

/// <summary>Runs each setting once, for the first test that asks.</summary>
public sealed class TruthResults
{
    private readonly ConcurrentDictionary<string, Task<Score>> _scores = new(StringComparer.Ordinal);
    private readonly Lazy<IReadOnlyList<PlannedRow>> _plan = new(Plan.Pairwise);

    internal Task<Score> OfAsync(string setting) => _scores.GetOrAdd(setting, RunAsync);

    internal async Task<Score> OfAllAsync()
    {
        var all = new Score();
        foreach (var setting in RuntimeSetting.All)
        {
            all.Add(await OfAsync(setting.Name));
        }

        return all;
    }

    private Task<Score> RunAsync(string name)
    {
        var setting = RuntimeSetting.All.Single(s => s.Name == name);
        return TruthRun.JudgeAsync(setting, [.. _plan.Value.Where(r => r.Setting == setting).Select(r => r.Row)], setting.Folder);
    }
}
