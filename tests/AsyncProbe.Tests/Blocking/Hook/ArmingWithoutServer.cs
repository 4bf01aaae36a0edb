using AsyncProbe.Blocking.Hook;
using AsyncProbe.Blocking.Sites;
using AsyncProbe.Blocking.Waits;
using AsyncProbe.Clocks;
using AsyncProbe.Common;
using AsyncProbe.Tests.Blocking.Stacks;

namespace AsyncProbe.Tests.Blocking.Hook;

/// <summary>Stands in for a server in the tests of arming decisions.</summary>
internal static class ArmingWithoutServer
{
    public static Arming Create(BlockingDetection detection, bool isPoolHealthy = true) =>
        new(
            Recorder(),
            Microsoft.Extensions.Options.Options.Create(
                new AsyncProbeOptions { Detection = detection, MinimumBlocked = TimeSpan.FromMilliseconds(1) }),
            () => isPoolHealthy);

    public static WaitRecorder Recorder() => new(new BlockingSites(10, new AllowRules([])), HandMadeStacks.Frames);

    public static HeldSplit Blocked(double ms) =>
        new(ms * Duration.Millisecond, default, default, default, ms * Duration.Millisecond);
}
