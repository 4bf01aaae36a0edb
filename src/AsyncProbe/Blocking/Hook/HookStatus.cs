using AsyncProbe.Common;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace AsyncProbe.Blocking.Hook;

/// <summary>Tracks whether requests are armed at all, and whether the wait hook works in this process.</summary>
internal sealed class HookStatus(IOptions<AsyncProbeOptions> options, ILogger<HookStatus> logger)
{
    /// <summary>Whether the wait hook looks for call sites.</summary>
    public bool IsLooking { get; private set; } = options.Value is { Enabled: true, Detection: not (null or BlockingDetection.Off) };

    /// <summary>Whether the wait hook was asked for, but stacks in this process name no methods.</summary>
    public bool LacksCallSites { get; } = options.Value is { Enabled: true, LacksCallSites: true };

    /// <summary>The result of the self-test; null before startup, and when detection is off.</summary>
    public string? SelfTestResult { get; private set; }

    /// <summary>Runs the self-test once, or again when no pool thread was free to run it.</summary>
    /// <returns>False when the hook would do harm, because nothing removes it from a thread.</returns>
    public async Task<bool> TestAsync()
    {
        if (SelfTestResult is not (null or SelfTest.NoThread))
        {
            return SelfTestResult != ArrivalTest.Failed;
        }

        if (options.Value.Enabled && !await ArrivalTest.RunAsync().ConfigureAwait(false))
        {
            IsLooking = false;
            SelfTestResult = ArrivalTest.Failed;
            Log.SelfTestFailed(logger, SelfTestResult);
            return false;
        }

        SelfTestResult = LacksCallSites ? SelfTest.NoMethods : IsLooking ? await SelfTest.RunAsync().ConfigureAwait(false) : null;
        if (SelfTestResult is not (null or SelfTest.Passed))
        {
            Log.SelfTestFailed(logger, SelfTestResult);
        }

        return true;
    }
}
