using System.Text.Json;
using AsyncProbe.Blocking.Stacks;
using AsyncProbe.Common;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace AsyncProbe.Blocking.Hook;

/// <summary>Tracks whether requests are armed at all, and whether the wait hook works in this process.</summary>
internal sealed class HookStatus(IOptions<AsyncProbeOptions> options, CallStacks stacks, ILogger<HookStatus> logger)
{
    private readonly BlockingDetection _asked = options.Value.Detection ?? BlockingDetection.Off;

    // With stacks that name no methods, the hook would cost time and find nothing, and the blocked time would be mistaken for Thread.Sleep.
    private HookState _state = options.Value is not { Enabled: true, Detection: not (null or BlockingDetection.Off) } ? HookState.Off
        : stacks.NameMethods ? HookState.Untested
        : HookState.Nameless;

    /// <summary>Whether the wait hook looks for call sites.</summary>
    public bool IsLooking => _state is HookState.Untested or HookState.Passed or HookState.Blind or HookState.NoThread;

    /// <summary>Which requests carry the hook.</summary>
    public BlockingDetection Detection => IsLooking ? _asked : BlockingDetection.Off;

    /// <summary>For the report and the metrics.</summary>
    public string DetectionName => JsonNamingPolicy.CamelCase.ConvertName($"{Detection}");

    /// <summary>Whether the wait hook was asked for, but stacks in this process name no methods.</summary>
    public bool LacksCallSites => _state is HookState.Nameless or HookState.NoMethods;

    public bool NeedsTest => _state is HookState.Off or HookState.Nameless or HookState.Untested or HookState.NoThread;

    /// <summary>The result of the self-test: "passed", or "failed: " and the reason. Null before startup, and when detection is off.</summary>
    public string? SelfTestResult => _state switch
    {
        HookState.Passed => "passed",
        HookState.Blind => "failed: a deliberate wait of 5 ms on a pool thread was not seen, so call sites will be missing; blocked time is "
            + "still counted",
        HookState.NoThread => "failed: no pool thread was free to run it within 2 s",
        HookState.NoMethods => "failed: call sites not available, because the stacks of this program do not name methods; blocked time is "
            + "still counted",
        HookState.NoArrivals => "failed: this runtime doesn't report when a request's code continues after an await, so nothing that a "
            + "request holds is measured",
        _ => null,
    };

    /// <summary>
    /// Runs the self-test once, or again when no pool thread was free to run it. It runs on pool threads, so it takes a while if none is
    /// free.
    /// </summary>
    public async Task TestAsync()
    {
        if (NeedsTest)
        {
            Conclude(await FindStateAsync().ConfigureAwait(false));
        }
    }

    public void Conclude(HookState state)
    {
        _state = state;
        if (SelfTestResult is { } result && state != HookState.Passed)
        {
            Log.SelfTestFailed(logger, result);
        }
    }

    private async Task<HookState> FindStateAsync() =>
        options.Value.Enabled && !await ArrivalTest.RunAsync().ConfigureAwait(false) ? HookState.NoArrivals
        : LacksCallSites ? HookState.NoMethods
        : IsLooking ? await SelfTest.RunAsync().ConfigureAwait(false)
        : HookState.Off;
}
