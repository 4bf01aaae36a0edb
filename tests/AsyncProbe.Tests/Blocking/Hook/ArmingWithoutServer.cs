using AsyncProbe.Blocking.Hook;
using AsyncProbe.Blocking.Sites;
using AsyncProbe.Blocking.Stacks;
using AsyncProbe.Blocking.Waits;
using AsyncProbe.Clocks;
using AsyncProbe.Common;
using AsyncProbe.Tests.Blocking.Stacks;
using Microsoft.Extensions.Logging.Abstractions;

namespace AsyncProbe.Tests.Blocking.Hook;

/// <summary>Stands in for a server in the tests of arming decisions.</summary>
internal static class ArmingWithoutServer
{
    public static Arming Create(BlockingDetection detection, bool isPoolHealthy = true) =>
        Create(new AsyncProbeOptions { Detection = detection, MinimumBlocked = TimeSpan.FromMilliseconds(1) }, isPoolHealthy);

    public static Arming Create(AsyncProbeOptions options, bool isPoolHealthy = true) =>
        new(Recorder(), Microsoft.Extensions.Options.Options.Create(options), Status(options), () => isPoolHealthy);

    public static HookStatus Status(AsyncProbeOptions options) =>
        new(Microsoft.Extensions.Options.Options.Create(options), CallStacks.Here, NullLogger<HookStatus>.Instance);

    public static WaitRecorder Recorder() => new(new BlockingSites(10, new AllowRules([])), HandMadeStacks.Frames);

    public static HeldSplit Blocked(double ms) =>
        new(ms * Duration.Millisecond, default, default, default, ms * Duration.Millisecond);
}
