using System.Text.Json;
using AsyncProbe.Cli.Joining;
using AsyncProbe.Cli.Snapshots;
using AsyncProbe.Rules;

namespace AsyncProbe.Cli.Tests.Joining;

[Trait("Category", "Logic")]
public class EndpointVerdictTests
{
    [Theory]
    // Blocked for most of the held time.
    [InlineData("fine", 200, 2, 198, 0, 0, "asyncWillHelp")]
    [InlineData("asyncWillHelp", 200, 2, 198, 0, 0.9, "lockContention")]
    [InlineData("providerIsSynchronous", 200, 2, 198, 0, 0, "providerIsSynchronous")]
    // Allowed to block, or no gain: async would not raise the ceiling.
    [InlineData("asyncWillHelp", 200, 0.5, 199, 199, 0, "fine")]
    [InlineData("asyncWillHelp", 52, 40, 10, 0, 0, "cpuBound")]
    // The server blocked before the run, but not during it.
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

    /// <summary>The rules are compiled from the server's own source files, so only the names of verdicts could differ.</summary>
    [Fact]
    public void Verdicts_AreTheServersOwn()
    {
        typeof(Verdicts).Assembly.ShouldBe(typeof(EndpointVerdict).Assembly);
        Enum.GetValues<Verdict>().Select(EndpointVerdict.Name).ShouldBe(
            [
                EndpointVerdict.NotEnoughData, EndpointVerdict.AsyncWillHelp, EndpointVerdict.CpuBound, EndpointVerdict.LockContention,
                EndpointVerdict.ProviderIsSynchronous, EndpointVerdict.AlreadyAsync, EndpointVerdict.Fine,
            ],
            ignoreOrder: true);
    }

    [Fact]
    public void Advice_HoldsTheRunsFiguresAndNoOthers() =>
        Decide("asyncWillHelp", 200, 2, 198, 0, 0).Advice!.ShouldMatch(
            @"200 ms, .* 198 ms .* Orders\.Load \[Task\.Wait\].* from 75 to about 1,000 .* \(×13 at 16 threads\)");

    // The runtime's own waiting comes with work. A thread that hardly works waits for something of the application's, unless the server
    // has seen the runtime wait.
    [Theory]
    [InlineData(110, 90, null, "cpuBound")]
    [InlineData(2, 198, null, "asyncWillHelp")]
    [InlineData(2, 198, 0.0, "asyncWillHelp")]
    [InlineData(2, 198, 198.0, "cpuBound")]
    public void TimeWithoutAPlace_IsAvoidable_UnlessTheServerOrTheWorkSaysOtherwise(
        double cpu, double blocked, double? unexplained, string verdict) =>
        Join(Row(
            "fine", 200, cpu, blocked, explained: 0,
            recent: new { requests = 10, blockedMs = blocked, locksMs = 0, unexplainedMs = unexplained })).Verdict.ShouldBe(verdict);

    [Theory]
    [InlineData(6, 7, "fine")]
    [InlineData(6, 8, "asyncWillHelp")]
    [InlineData(null, 7, "asyncWillHelp")]
    public void Verdict_AccusesNothing_ThatOneRequestOfTheRunAloneDid(int? before, int after, string verdict)
    {
        var decided = Join(
            Row("fine", 3.2, 0.2, 3, blockedRequests: before is null ? null : after),
            before is null ? null : Row("fine", 0, 0, 0, requests: 0, blockedRequests: before));

        decided.Verdict.ShouldBe(verdict);
        decided.Advice!.EndsWith("request is not a pattern.", StringComparison.Ordinal).ShouldBe(verdict == EndpointVerdict.Fine, decided.Advice);
    }

    // A second request's short wait changes nothing; if two waited equally long, neither did most of it.
    [Theory]
    [InlineData((28 * 28) + (2 * 2), "fine")]
    [InlineData((15 * 15) + (15 * 15), "asyncWillHelp")]
    public void Verdict_AccusesNothing_ThatOneRequestOfTheRunDidMostOf(double squares, string verdict) =>
        Join(
            Row("fine", 3.2, 0.2, 3, blockedRequests: 8, squares: 900 + squares),
            Row("fine", 0, 0, 0, requests: 0, blockedRequests: 6, squares: 900)).Verdict.ShouldBe(verdict);

    // A sum of squares grows faster than a time: a hundred threads that wait for two seconds at a time get there in six days.
    [Theory]
    [InlineData(1e14)]
    [InlineData(9e16)]
    public void Verdict_FollowsTheRunsFigures_WhenTheServerHasBlockedForDays(double squares) =>
        Join(
            Row("fine", 30.2, 0.2, 30, blockedRequests: 28, squares: squares + 20_000),
            Row("fine", 0, 0, 0, requests: 0, blockedRequests: 8, squares: squares)).Verdict.ShouldBe("asyncWillHelp");

    [Fact]
    public void Report_CannotBeRead_WhenItsSquaresAreBeyondWhatAServerCounts() =>
        Should.Throw<JsonException>(() => Snapshot(Row("fine", 200, 2, 198, squares: 1e17)));

    [Fact]
    public void Verdict_IsNotEnoughData_OfFewRequestsOrWithoutClocks()
    {
        Join(Row("fine", 200, 2, 198, requests: 4)).Verdict.ShouldBe("notEnoughData");
        Join(Row("fine", 200, null, null)).Verdict.ShouldBe("notEnoughData");
    }

    private static EndpointSide Decide(
        string server, double held, double cpu, double blocked, double allowed, double lockShare, double? duration = null,
        double? segments = null) =>
        Join(Row(
            server, held, cpu, blocked, duration, segments,
            recent: new
            {
                requests = 10, blockedMs = blocked, allowedMs = allowed, locksMs = lockShare * (blocked - allowed),
                providerMs = server == EndpointVerdict.ProviderIsSynchronous ? blocked - allowed : 0, unexplainedMs = 0,
            }));

    private static EndpointSide Join(object row, object? before = null)
    {
        var (begin, end) = (before is null ? null : Snapshot(before), Snapshot(row));
        var (rows, _) = EndpointJoin.Build(begin, end, CeilingLimits.From(begin, end, threadsMax: 16));
        return rows.ShouldHaveSingleItem();
    }

    private static object Row(
        string verdict, double held, double? cpu, double? blocked, double? duration = null, double? segments = null, long requests = 10,
        int? blockedRequests = null, double? squares = null, object? recent = null, double explained = 1) => new
        {
            endpoint = "GET /x", requests, verdict, heldMs = Total(held), cpuMs = Total(cpu), blockedMs = Total(blocked), gcMs = Total(0),
            durationMs = new { mean = duration }, segmentsPerRequest = segments, blockedRequests, blockedSquaresMs2 = squares, recent,
            explained,
        };

    private static object Total(double? mean) => new { total = mean * 10 };

    private static ServerSnapshot Snapshot(object row) => ServerSnapshot.Read(
        JsonSerializer.SerializeToElement(new
        {
            schema = 1, process = new { processorCount = 2 }, pool = new { workers = new { min = 2, max = 100 }, threads = 16 },
            endpoints = new[] { row },
            sites = new[]
            {
                new { kind = "Task.Wait", at = "Orders.Load", count = 10, blockedMs = new { total = 1980 }, endpoints = new[] { "GET /x" } },
            },
            probe = new { detection = "whenBlocking" },
        }), 0)!;
}
