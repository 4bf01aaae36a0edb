using AsyncProbe.Clocks;
using AsyncProbe.Common;
using AsyncProbe.Requests.Counts;

namespace AsyncProbe.Tests.Requests.Counts;

/// <summary>Figures of a running request appear in the report immediately, and in the metrics when the request ends.</summary>
[Trait(Logic.Category, Logic.Name)]
public sealed class RunningHeldTests
{
    private static Duration Ms => Duration.Millisecond;

    private readonly EndpointTotals _totals = new("GET /x", "/x", "GET");

    [Fact]
    public void HandedOver_IsHeldAtOnce_AndEndedWithTheRequest()
    {
        var (handed, whole) = (Blocked(100), Blocked(150));

        _totals.Counts.AddRunning(handed, handed);
        _totals.Read().Sum.Split.ShouldBe(handed);
        _totals.Counts.ReadEnded().ShouldBe((0, default));

        _totals.End(whole, whole - handed, 1, 200 * Ms, RequestOutcome.None);
        _totals.Read().Sum.Split.ShouldBe(whole);
        _totals.Counts.ReadEnded().ShouldBe((1, whole));
        _totals.Counts.SumRequestsAndCpu().ShouldBe((1, whole.Cpu));
    }

    [Fact]
    public void HandedOver_BeforeTheCountsStartAnew_IsNotCountedAgain()
    {
        var (handed, whole) = (Blocked(100), Blocked(150));

        _totals.Counts.AddRunning(handed, handed);
        _totals.Reset();
        _totals.End(whole, whole - handed, 1, 200 * Ms, RequestOutcome.None);

        _totals.Read().Sum.Split.ShouldBe(whole - handed);
    }

    [Fact]
    public async Task Ended_NeverFalls_WhileRequestsHandOverAndEnd()
    {
        const int Requests = 20_000;
        var (handed, whole) = (Blocked(2), Blocked(3));
        var writing = Task.Run(() =>
        {
            for (var i = 0; i < Requests; i++)
            {
                _totals.Counts.AddRunning(handed, handed);
                _totals.End(whole, whole - handed, 1, 4 * Ms, RequestOutcome.None);
            }
        });

        // To Prometheus, a counter that falls has restarted, and all of it counts again.
        var last = Duration.Zero;
        while (!writing.IsCompleted)
        {
            var ended = _totals.Counts.ReadEnded().Held.Blocked;
            ended.ShouldBeGreaterThanOrEqualTo(last);
            last = ended;
        }

        await writing.WaitAsync(ProbedApp.Timeout);
        _totals.Read().Sum.Blocked.ShouldBe(Requests * whole.Blocked);
        _totals.Counts.ReadEnded()
            .ShouldBe(
                (Requests,
                    new HeldSplit(Requests * whole.Held, Requests * whole.Cpu, Duration.Zero, Duration.Zero, Requests * whole.Blocked)));
    }

    private static HeldSplit Blocked(int milliseconds) => new((milliseconds + 1) * Ms, Ms, Duration.Zero, Duration.Zero, milliseconds * Ms);
}
