using System.Diagnostics;
using AsyncProbe.Cli.Joining;
using AsyncProbe.Cli.Load;
using AsyncProbe.Cli.Runs;
using AsyncProbe.Cli.Server;
using AsyncProbe.Cli.Sessions;
using AsyncProbe.Cli.Snapshots;

namespace AsyncProbe.Cli.Tests.Runs;

/// <summary>The facts that a run with known times would leave behind, without a run.</summary>
internal static class Facts
{
    public static Tally Tally(IEnumerable<double> succeededMs, int refused = 0, int status = 200)
    {
        var tally = new Tally();
        foreach (var ms in succeededMs)
        {
            tally.Succeeded.Record((long)(ms * 1e6));
            tally.AddStatus(status, 1);
            tally.EndedInTime++;
            tally.AnsweredInTime++;
        }

        for (var i = 0; i < refused; i++)
        {
            tally.FailedTimes.Record(1_000_000);
            tally.AddStatus(0, 1);
            tally.AddReason("connection refused", 1);
            tally.EndedInTime++;
        }

        // The answers came evenly over the measured time.
        tally.EndedSettled = tally.EndedInTime / 2;
        return tally;
    }

    /// <summary>Builds the figures of ten measured seconds, with one session request for each tally.</summary>
    public static RunResult Build(
        Tally[] counted, ServerSide? server = null, LoadSettings? settings = null, Tally[]? carriedOver = null, int connections = 2)
    {
        var facts = Create(counted, settings, carriedOver, connections);
        return ResultBuilder.Build(facts, ServerAttribution.Attribute(server ?? ServerSide.Without(ServerStatus.Off, null), facts));
    }

    public static LoadFacts Create(Tally[] counted, LoadSettings? settings = null, Tally[]? carriedOver = null, int connections = 2) =>
        new()
    {
        Prepared = new PreparedSession(
            new Session { Source = "story.websurge" }, settings ?? new LoadSettings { Threads = connections }, [Requests(counted.Length)]),
        Tallies = new MergedTallies(counted, carriedOver ?? AsyncProbe.Cli.Load.Tally.Many(counted.Length), 10 * Stopwatch.Frequency),
        StartedAt = DateTimeOffset.UnixEpoch,
        Warmup = TimeSpan.FromSeconds(2),
        Measured = TimeSpan.FromSeconds(10),
        SettledTime = TimeSpan.FromSeconds(5),
        Answered = TimeSpan.FromSeconds(10),
        Interrupted = false,
        Seconds = [],
        Client = new ClientFigures(),
        Unanswered = default,
        Connections = connections,
    };

    public static RunResult Run(double requestsPerSecond, double ms = 20, ServerSide? server = null) =>
        Build([Tally(Enumerable.Repeat(ms, (int)(requestsPerSecond * 10)))], server);

    public static ServerSide Server(params (string Endpoint, long Requests, double BlockedMs)[] rows) => new()
    {
        Status = ServerStatus.Joined,
        EndAnswered = true,
        Endpoints =
        [
            .. rows.Select(row => new EndpointSide
            {
                Endpoint = row.Endpoint, Requests = row.Requests, FromCache = 0, HeldMs = Sum(row.BlockedMs + 2, row.Requests),
                CpuMs = Sum(2, row.Requests),
                BlockedMs = Sum(row.BlockedMs, row.Requests), CpuWaitMs = new(null, null, null), GcMs = Sum(0, row.Requests),
                WorstSite = null, WorstSiteKind = null,
            }),
        ],
    };

    private static PreparedRequest[] Requests(int count) =>
        [.. Enumerable.Range(0, count).Select(
            i =>
                new PreparedRequest { Index = i, Title = $"request {i}", Method = HttpMethod.Get, Url = new Uri($"http://x/{i}"),
                    Headers = [] })];

    private static TimeSums Sum(double mean, long requests) => new(mean * requests, mean, null);
}
