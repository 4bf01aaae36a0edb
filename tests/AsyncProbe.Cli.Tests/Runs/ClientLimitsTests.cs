using AsyncProbe.Cli.Load;
using AsyncProbe.Cli.Runs;

namespace AsyncProbe.Cli.Tests.Runs;

[Trait("Category", "Logic")]
public class ClientLimitsTests
{
    [Fact]
    public void Client_IsNotTheLimit_WhenItIdles() =>
        ClientLimits.Judge(
            new ClientFigures { CpuShare = 0.3, InFlightByLittle = 99, InFlightWanted = 100, PoolDelayP99Ms = 15 },
            medianMs: 200).Limits.ShouldBeEmpty();

    [Fact]
    public void Client_IsTheLimit_WhenAnyOfItsChecksFails()
    {
        ClientFigures[] limited =
        [
            new() { CpuShare = 0.95 },
            new() { GcPauseShare = 0.2 },
            new() { PoolDelayP99Ms = 50 },
            new() { SendLagP99Ms = 50 },
            new() { InFlightByLittle = 50, InFlightWanted = 100 },
        ];

        limited.ShouldAllBe(figures => ClientLimits.Judge(figures, medianMs: 200).Limits.Count == 1);
    }
}
