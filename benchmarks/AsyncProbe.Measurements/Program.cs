using AsyncProbe.Measurements;

// Long measurements. Each runs in its own processes and prints a table to standard output. See benchmarks/README.md.
return args switch
{
    ["accuracy", .. var cases] => await Accuracy.RunAsync(cases),
    ["prediction", .. var titles] => await Prediction.RunAsync(titles),
    ["end-to-end", .. var rest] => await EndToEnd.RunAsync(rest is [var pairs] ? int.Parse(pairs) : 11),
    ["server-cpu", .. var rest] =>
        await ServerCpu.RunAsync(rest is [var pairs, ..] ? int.Parse(pairs) : 8, rest is [_, var seconds] ? int.Parse(seconds) : 3),
    ["hub", .. var rest] => await HubCalls.RunAsync(rest is [var starts] ? int.Parse(starts) : 12),
    ["starvation-told", .. var rest] => await StarvationTold.RunAsync(rest is [var runs] ? int.Parse(runs) : 5),
    ["watcher-cost"] => await WatcherCost.RunAsync(),
    ["hook-harm", .. var rest] =>
        await HookHarm.RunAsync(rest is [var seconds, ..] ? int.Parse(seconds) : 60, rest is [_, .. var cases] ? cases : []),
    ["hook-awaits", .. var rest] =>
        await HookAwaits.RunAsync(rest is [var rounds, ..] ? int.Parse(rounds) : 8, rest is [_, var seconds] ? int.Parse(seconds) : 8),
    ["snapshot-cost"] => await SnapshotCost.RunAsync(),
    ["window-cost", .. var rest] => await WindowCost.RunAsync(rest is [var minutes] ? int.Parse(minutes) : 10),
    ["sampled-time", .. var rest] => await SampledTime.RunAsync(rest is [var rounds] ? int.Parse(rounds) : 20),
    ["short-waits", .. var rest] => await ShortWaits.RunAsync(rest is [var seconds] ? int.Parse(seconds) : 15),
    _ => Usage(),
};

static int Usage()
{
    Console.Error.WriteLine(
        "Say what to measure: accuracy [case…], prediction, watcher-cost, snapshot-cost, short-waits [seconds], window-cost [minutes], "
            + "sampled-time [rounds], "
            + "hook-harm [seconds [case…]], hook-awaits [rounds [seconds]], end-to-end [pairs], hub [starts], starvation-told [runs], or server-cpu [pairs [seconds]].");
    return 2;
}
