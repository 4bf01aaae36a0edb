using System.Text.Json;
using AsyncProbe.Cli.Server;
using AsyncProbe.Common;

namespace AsyncProbe.Cli.Tests.Server;

[Trait("Category", "Logic")]
public class EndpointVerdictTests
{
    private static readonly CeilingLimits s_limits = new(Threads: 16, Cores: 2, ServerOverheadMs: 0);

    [Theory]
    // Blocked for most of it.
    [InlineData("fine", 200, 2, 198, 0, 0, "asyncWillHelp")]
    [InlineData("asyncWillHelp", 200, 2, 198, 0, 0.9, "lockContention")]
    [InlineData("providerIsSynchronous", 200, 2, 198, 0, 0, "providerIsSynchronous")]
    // Allowed, or in vain: async would not raise the ceiling.
    [InlineData("asyncWillHelp", 200, 0.5, 199, 199, 0, "fine")]
    [InlineData("asyncWillHelp", 52, 40, 10, 0, 0, "cpuBound")]
    // The server's life blocked, the run did not.
    [InlineData("asyncWillHelp", 0.3, 0.3, 0, 0, 0, "fine")]
    [InlineData("asyncWillHelp", 20, 20, 0, 0, 0, "cpuBound")]
    [InlineData("lockContention", 0.3, 0.3, 0, 0, 0, "fine")]
    [InlineData("someday", 200, 2, 198, 0, 0, "someday")]
    public void Verdict_FollowsTheRunsFigures(
        string server, double held, double cpu, double blocked, double allowed, double lockShare, string verdict) =>
        Decide(server, held, cpu, blocked, allowed, lockShare).Verdict.ShouldBe(verdict);

    [Theory]
    [InlineData(100, 3.0, "alreadyAsync")]
    [InlineData(0.4, 3.0, "fine")]
    [InlineData(100, 1.0, "fine")]
    public void Verdict_IsAlreadyAsync_WhenItWasAwayAndGaveItsThreadBack(double duration, double segments, string verdict) =>
        Decide("asyncWillHelp", 0.3, 0.3, 0, 0, 0, duration, segments).Verdict.ShouldBe(verdict);

    /// <summary>The rules are the server's own source files; only their names could differ.</summary>
    [Fact]
    public void Verdicts_AreTheServersOwn()
    {
        typeof(AsyncProbe.Prediction.Verdicts).Assembly.ShouldBe(typeof(EndpointVerdict).Assembly);
        Enum.GetValues<AsyncProbe.Prediction.Verdict>().Select(EndpointVerdict.Name).ShouldBe(
            [
                EndpointVerdict.NotEnoughData, EndpointVerdict.AsyncWillHelp, EndpointVerdict.CpuBound, EndpointVerdict.LockContention,
                EndpointVerdict.ProviderIsSynchronous, EndpointVerdict.AlreadyAsync, EndpointVerdict.Fine,
            ],
            ignoreOrder: true);
    }

    /// <summary>A run's figures and the server's, made of the same numbers, get the same verdict and the same ceiling.</summary>
    [Fact]
    public void Verdict_IsTheServers_OverAGrid()
    {
        double[] times = [0, 0.4, 0.9, 1, 4.9, 5, 30, 300];
        var seen = new HashSet<string>();
        foreach (var (cpu, wait, blocked, allowed, locks, threads, inGc) in from cpu in times from wait in times from blocked in times
                 from allowed in times from locks in (double[])[0, 0.4, 0.6, 1] from threads in (int[])[2, 16, 250]
                 from inGc in (double[])[0, 0.9] where allowed <= blocked select (cpu, wait, blocked, allowed, locks, threads, inGc))
        {
            var limits = new CeilingLimits(threads, 2, 0);
            var mean = new AsyncProbe.Clocks.HeldSplit(Ms(cpu + wait + blocked), Ms(cpu), Ms(wait), Duration.Zero, Ms(blocked))
            {
                BlockedInGc = Ms(blocked * inGc),
            };
            var parts = new AsyncProbe.Prediction.BlockedParts(
                Ms(blocked), Ms(allowed), (Ms(blocked) - Ms(allowed)) * locks, Duration.Zero);
            parts =
                parts with { Unclear = AsyncProbe.Prediction.BlockedParts.UnclearOf(
                    mean, parts.Blocked - parts.Allowed - parts.Locks) };
            var window = new AsyncProbe.Requests.Endpoints.EndpointWindow(
                new(
                    10, 0, 10, 10, 10 * Math.Pow(blocked - allowed, 2), 0, 20, 10, 10 * Ms(400),
                    new(10 * mean.Held, 10 * mean.Cpu, 10 * mean.CpuWait, Duration.Zero, 10 * mean.Blocked)
                    {
                        BlockedInGc = 10 * mean.BlockedInGc,
                    },
                    Duration.Zero),
                threads, Duration.Zero, false);
            var ceiling = AsyncProbe.Prediction.Ceiling.Create(mean, parts.Avoidable, Duration.Zero, threads, 2);
            var expected = EndpointVerdict.Name(AsyncProbe.Prediction.Verdicts.Decide(window, parts, ceiling));

            var side = Side(10, cpu + wait + blocked, cpu, blocked) with
            {
                CpuWaitMs = Mean(wait),
                BlockedInGcMs = Mean(blocked * inGc),
            };
            var decided = EndpointVerdict.Decide(side, Row("fine", 400, 2), null, allowed * 10, locks, limits);

            decided.Verdict.ShouldBe(
                expected, $"cpu {cpu}, wait {wait}, blocked {blocked}, allowed {allowed}, locks {locks}, {threads} threads");
            decided.CeilingPerSecond.ShouldBe(CeilingFigures.From(ceiling));
            seen.Add(expected);
        }

        seen.ShouldBe(
            [EndpointVerdict.AsyncWillHelp, EndpointVerdict.CpuBound, EndpointVerdict.LockContention, EndpointVerdict.AlreadyAsync,
                EndpointVerdict.Fine], ignoreOrder: true);

        static Duration Ms(double ms) => Duration.FromMilliseconds(ms);
    }

    [Fact]
    public void Advice_SaysThatTheRateHardlyRises_WhenThePoolHadManyThreads()
    {
        var row = EndpointVerdict.Decide(Side(10, 6.1, 0.1, 6), Row("fine", null, null), null, 0, 0, new(2000, 2, 0));

        row.Verdict.ShouldBe(EndpointVerdict.AsyncWillHelp);
        row.Advice!.ShouldContain("Async would free the thread, but hardly raise the ceiling of");
        row.Advice!.ShouldContain("the pool had 2,000 threads to wait with.");
    }

    [Fact]
    public void Advice_HoldsTheRowsFiguresAndNoOthers()
    {
        var row = Decide("asyncWillHelp", 200, 2, 198, 0, 0);

        row.Advice.ShouldBe("Each request held a thread for 200 ms and was blocked for 198 ms of that; no request of this run was "
            + "watched, so the location is not known. "
            + "Async would raise the ceiling from 74.8–80.0 a second to 1,000 a second (×13 with 16 threads).");
    }

    [Fact]
    public void Advice_OfCpuBound_SaysThatTheRequestWaitedForACore_WhenThatIsMostOfIt()
    {
        var row = Side(10, 57, 3, 0) with { Verdict = EndpointVerdict.CpuBound };

        EndpointAdvice.Describe(row with { CpuWaitMs = Mean(50) }).ShouldBe(
            "Each request held a thread for 57.0 ms, waited for a core for 50.0 ms of that, and used 3.00 ms of CPU: async does not help; "
                + "less work, a cache or more cores do.");
        EndpointAdvice.Describe(row with { CpuWaitMs = Mean(28) })
            .ShouldBe("Each request used 3.00 ms of CPU: async does not help; less work, a cache or more cores do.");
    }

    [Fact]
    public void Advice_OfFine_SaysThatOtherWorkTakesTheCores_WhenMostOfItIsAWaitForACore() =>
        EndpointAdvice.Describe(Side(10, 57, 0.5, 6.5) with { Verdict = EndpointVerdict.Fine, CpuWaitMs = Mean(50) })
            .ShouldBe("Each request held a thread for 57.0 ms and waited for a core for 50.0 ms of that: other work takes the cores.");

    [Fact]
    public void Advice_SaysHowMuchNobodyCanTell_WhenCollectionsPausedTheServerAsLong()
    {
        var side = Side(10, 51, 0.1, 44) with { GcMs = Mean(0.4), BlockedInGcMs = Mean(30) };

        var row = EndpointVerdict.Decide(side, Row("fine", null, null), null, 0, 0, s_limits);
        var working = EndpointVerdict.Decide(side with { CpuMs = Mean(3) }, Row("fine", null, null), null, 0, 0, s_limits);

        const string Unclear = "Each request held a thread for 51.0 ms. Garbage collections paused the server for 30.4 ms of that, so for "
            + "44.0 ms nobody can tell whether the thread waited for a collection or for something else";
        (row.Verdict, row.UnclearMs).ShouldBe((EndpointVerdict.Fine, 44));
        row.Advice.ShouldBe(Unclear + ": look at the collections first.");
        working.Verdict.ShouldBe(EndpointVerdict.CpuBound);
        working.Advice!.ShouldStartWith(Unclear + "; it used 3.00 ms of CPU: async does not raise the ceiling of ");
    }

    [Fact]
    public void Advice_SaysHowMuchNobodyHasSeen_WhenTheCrowdMayHaveMadeTheWaits()
    {
        var side = Side(10, 297, 8, 56) with { CpuWaitMs = Mean(233) };

        var row = EndpointVerdict.Decide(side, Row("fine", null, null), null, 0, 0, s_limits);

        row.Advice!.ShouldStartWith(
            "Each request held a thread for 297 ms, waited for a core for 233 ms of that, and for another 56.0 ms nobody has seen for what, "
                + "perhaps for a thread that waits for a core itself, and used 8.00 ms of CPU: async does not ");
    }

    [Fact]
    public void Advice_SaysThatThereIsNoVerdict_WhenTheCrowdHidesWhetherItWaits()
    {
        var side = Side(10, 54.5, 0.5, 20) with { CpuWaitMs = Mean(34) };

        var row = EndpointVerdict.Decide(side, Row("fine", null, null), null, 0, 0, s_limits);

        row.Verdict.ShouldBe(EndpointVerdict.NotEnoughData);
        row.Advice.ShouldBe(
            "No verdict. Each request held a thread for 54.5 ms and waited for a core for 34.0 ms of that, and for another 20.0 ms nobody has "
                + "seen for what, perhaps for a thread that waits for a core itself. Run it again while the cores are less busy.");
    }

    [Theory]
    [InlineData(6, 7, "fine")]
    [InlineData(6, 8, "asyncWillHelp")]
    [InlineData(null, 7, "asyncWillHelp")]
    public void Verdict_AccusesNothing_ThatOneRequestOfTheRunAloneDid(int? before, int after, string verdict)
    {
        var earlier = before is null ? null : Row("fine", null, null) with { Requests = 0, BlockedRequests = before };
        var row = Row("fine", null, null) with { BlockedRequests = before is null ? null : after };

        var decided = EndpointVerdict.Decide(Side(10, 3.2, 0.2, 3), row, earlier, 0, 0, s_limits);

        decided.Verdict.ShouldBe(verdict);
        decided.Advice!.EndsWith(
            "nothing to gain. One of the 10 requests accounts for most of the 30.0 ms for which they were blocked, and once is no "
                + "pattern.", StringComparison.Ordinal).ShouldBe(verdict == EndpointVerdict.Fine, decided.Advice);
    }

    // The stall of a second one changes nothing; of two that waited alike each would do.
    [Theory]
    [InlineData((28 * 28) + (2 * 2), "fine")]
    [InlineData((15 * 15) + (15 * 15), "asyncWillHelp")]
    public void Verdict_AccusesNothing_ThatOneRequestOfTheRunDidMostOf(double squares, string verdict)
    {
        var earlier = Row("fine", null, null) with { Requests = 0, BlockedRequests = 6, BlockedSquaresMs2 = 900 };
        var row = Row("fine", null, null) with { BlockedRequests = 8, BlockedSquaresMs2 = 900 + squares };

        EndpointVerdict.Decide(Side(10, 3.2, 0.2, 3), row, earlier, 0, 0, s_limits).Verdict.ShouldBe(verdict);
    }

    // All of them were blocked where it is allowed, and one for 55 ms more.
    [Fact]
    public void Verdict_AccusesNothing_ThatOneRequestDid_BesideWhatIsAllowed()
    {
        var row = Row("fine", null, null) with { BlockedRequests = 1 };

        var decided = EndpointVerdict.Decide(Side(10, 26.7, 0.2, 25.5), row, null, 10 * 20, 0, s_limits);

        decided.Verdict.ShouldBe("fine");
        decided.Advice.ShouldBe(
            "Each request held a thread for 26.7 ms, 25.5 ms of it blocked where that is allowed or changes nothing. One of the 10 requests "
                + "accounts for most of the 55.0 ms for which they were blocked where that is not allowed, and once is no pattern.");
    }

    [Fact]
    public void Advice_NamesAPlaceOnce_AndWhatItIsWorth()
    {
        var row = Decide(
            "asyncWillHelp", 200, 2, 198, 0,
            0) with { WorstSite = "Orders.Load", WorstSiteKind = "EfCore", WorstSiteIs = SiteCoverage.Earlier };

        EndpointAdvice.Describe(row)!.ShouldContain("most at Orders.Load [EfCore] (known from before this run)");
        EndpointAdvice.Describe(row with { WorstSiteIs = SiteCoverage.Fully, WorstSiteMs = 150 })!.ShouldContain(
            "blocked for 198 ms of that, most at Orders.Load [EfCore]. Async");
        EndpointAdvice.Describe(row with { WorstSiteIs = SiteCoverage.Fully, WorstSiteMs = 50 })!.ShouldContain(
            "the largest part of it (50.0 ms) at Orders.Load");
        EndpointAdvice.Describe(row with { WorstSiteIs = SiteCoverage.Partly, WorstSiteMs = 5 })!.ShouldContain(
            "in part at Orders.Load [EfCore] (5.00 ms a request)");
        EndpointAdvice.Describe(row with { WorstSiteIs = null, LookedAt = true })!.ShouldContain(
            "location unknown (Thread.Sleep, file I/O or native code): add AsyncProbe.StackSnapshots");
        EndpointAdvice.Describe(row)!.ShouldNotContain("watched");
    }

    [Fact]
    public void Verdict_IsNotEnoughData_OfFewRequestsOrWithoutClocks()
    {
        Decide("fine", 200, 2, 198, 0, 0, requests: 4).Verdict.ShouldBe("notEnoughData");
        EndpointVerdict.Decide(Side(10, 200, null, null), Row("fine", null, null), null, 0, 0, s_limits).Verdict.ShouldBe("notEnoughData");
    }

    private static EndpointSide Decide(
        string server, double held, double cpu, double blocked, double allowed, double lockShare, double? duration = null,
        double? segments = null, long requests = 10) =>
        EndpointVerdict.Decide(
            Side(requests, held, cpu, blocked), Row(server, duration, segments), null, allowed * requests, lockShare, s_limits);

    private static EndpointSide Side(long requests, double held, double? cpu, double? blocked) => new()
    {
        Endpoint = "GET /x", Requests = requests, FromCache = 0, HeldMs = Mean(held), CpuMs = Mean(cpu), BlockedMs = Mean(blocked),
        CpuWaitMs = Mean(null), GcMs = Mean(0),
        WorstSite = null, WorstSiteKind = null,
    };

    private static EndpointSnapshot Row(string verdict, double? duration, double? segments)
    {
        var json = JsonSerializer.SerializeToElement(
            new { endpoint = "GET /x", requests = 10, verdict, durationMs = new { mean = duration }, segmentsPerRequest = segments });
        return EndpointSnapshot.Read(json);
    }

    private static TimeSums Mean(double? ms) => new(ms * 10, ms, null);
}
