using System.Text.Json.Nodes;
using Microsoft.AspNetCore.Http;

namespace AsyncProbe.Cli.Tests;

/// <summary>A report in the shape of <c>/_threadpool</c> whose figures a test can change between polls.</summary>
internal sealed class FakeReport
{
    private readonly Lock _lock = new();
    private readonly DateTimeOffset _startedAt = DateTimeOffset.UtcNow.AddMinutes(-5);
    private int _polls;

    /// <summary>Whether the server has a report.</summary>
    public bool IsThere { get; set; }

    /// <summary>Whether polls get no answer from the second one on.</summary>
    public bool HangsAfterTheFirst { get; set; }

    public bool NullsOnly { get; set; }

    /// <summary>How much the counts grow from one poll to the next.</summary>
    public int RequestsPerPoll { get; set; } = 10;

    /// <summary>How long each of the thousand requests before the run held a thread, in ms.</summary>
    public double HeldBefore { get; set; } = 200;

    /// <summary>How long each request since then holds a thread, in ms. All but 2 ms of it is blocked.</summary>
    public double Held { get; set; } = 200;

    public int Schema { get; set; } = 1;

    /// <summary>Whether it also reports a job, with as many runs as there are requests.</summary>
    public bool HasOperation { get; set; }

    /// <summary>The lifeline's address in the report.</summary>
    public string? Lifeline { get; set; }

    /// <summary>The server's own count of the run's requests. Without it, the counts grow with each poll.</summary>
    public Func<int>? Counts { get; set; }

    /// <summary>Writes something other than the report, given the number of the poll; returns false to send the report after all.</summary>
    public Func<HttpContext, int, Task<bool>>? Instead { get; set; }

    /// <summary>Appears in every text of the report.</summary>
    public string Mark { get; set; } = "";

    public string Verdict { get; set; } = "asyncWillHelp";

    /// <summary>The share of the blocked time for which its site was seen.</summary>
    public double SitesSeen { get; set; } = 1;

    public string Detection { get; set; } = "always";

    public int Polls => Volatile.Read(ref _polls);

    public async Task WriteAsync(HttpContext context)
    {
        if (!IsThere)
        {
            context.Response.StatusCode = StatusCodes.Status404NotFound;
            return;
        }

        var poll = Interlocked.Increment(ref _polls);
        if (HangsAfterTheFirst && poll > 1)
        {
            await Task.Delay(Timeout.Infinite, context.RequestAborted).ContinueWith(static _ => { }, TaskScheduler.Default);
            return;
        }

        if (Instead is not null && await Instead(context, poll))
        {
            return;
        }

        string json;
        lock (_lock)
        {
            json = Json(poll).ToJsonString();
        }

        context.Response.ContentType = "application/json";
        await context.Response.WriteAsync(json);
    }

    private JsonObject Json(int poll)
    {
        var now = DateTimeOffset.UtcNow;
        // A server that has been up for a long time: each request before the run held 200 ms, of which 198 was blocked.
        var counted = Counts?.Invoke() ?? (poll * RequestsPerPoll);
        var requests = 1000 + counted;
        var held = (1000 * HeldBefore) + (counted * Held);
        var blocked = (1000 * (HeldBefore - 2)) + (counted * (Held - 2));
        return new JsonObject
        {
            ["schema"] = Schema,
            ["process"] = new JsonObject
            {
                ["processorCount"] = 2,
                ["runtime"] = ".NET 10" + Mark,
                ["startedAt"] = _startedAt,
                ["uptimeMs"] = (now - _startedAt).TotalMilliseconds,
            },
            ["pool"] = new JsonObject
            {
                ["workers"] = new JsonObject { ["available"] = 32760, ["busy"] = 7, ["min"] = 2, ["max"] = 32767 },
                ["threads"] = 4 + poll,
                ["pending"] = null,
                ["queueDelayMs"] = 1.5,
                ["state"] = "queueing" + Mark,
                ["cause"] = "blocked",
                ["history"] = new JsonArray(
                    Moment(now.AddMinutes(-4), 900, 9000),
                    Moment(now.AddMilliseconds(-5), 21, 321)),
            },
            ["endpoints"] = NullsOnly ? new JsonArray() : new JsonArray(
                new JsonObject
                {
                    ["endpoint"] = "GET /plain" + Mark, ["requests"] = requests, ["failed"] = 0, ["fromCache"] = 0, ["inFlight"] = 1,
                    ["heldMs"] = Times(held, held / requests, HeldBefore + 250), ["cpuMs"] = Times(requests * 2, 2, 3),
                    ["blockedMs"] = Times(blocked, blocked / requests, HeldBefore + 240),
                    ["cpuWaitMs"] = null, ["gcMs"] = Times(0, 0, 0), ["verdict"] = Verdict + Mark, ["advice"] = "Await the call." + Mark,
                    ["ceilingPerSecond"] = new JsonObject
                    {
                        ["threads"] = 16,
                        ["now"] = Range(17911, 18322),
                        ["ifAsync"] = Range(19111, 19222),
                    },
                },
                new JsonObject { ["endpoint"] = "GET /untouched", ["requests"] = 77, ["heldMs"] = Times(1, 1, 1) }),
            ["operations"] = !HasOperation ? null : new JsonArray(new JsonObject
            {
                ["endpoint"] = "nightly job", ["requests"] = requests, ["heldMs"] = Times(requests * 40, 40, 50),
                ["cpuMs"] = Times(requests, 1, 2), ["blockedMs"] = Times(requests * 39, 39, 49),
            }),
            ["sites"] = NullsOnly ? null : new JsonArray(new JsonObject
            {
                ["kind"] = "Task.Wait" + Mark, ["at"] = "Orders.Load" + Mark, ["file"] = "/src/Orders.cs", ["line"] = 42, ["via"] = null,
                ["count"] = requests,
                ["blockedMs"] = Times(blocked * SitesSeen, blocked / requests, HeldBefore + 240),
                ["endpoints"] = new JsonArray("GET /plain" + Mark),
            }),
            ["now"] = new JsonArray(
                Segment("Orders.Load" + Mark), Segment(null), Segment(null)),
            ["probe"] = new JsonObject
            {
                ["detection"] = Detection,
                ["selfTest"] = "passed" + Mark,
                ["lifeline"] = Lifeline,
                ["notAvailable"] = new JsonArray("cpuWait" + Mark),
            },
        };
    }

    private JsonObject Segment(string? at) => new() { ["endpoint"] = "GET /plain" + Mark, ["heldMs"] = 120, ["cpuMs"] = 1, ["at"] = at };

    private static JsonObject Moment(DateTimeOffset at, int threads, double delay) => new()
    {
        ["at"] = at, ["threads"] = threads, ["pending"] = 3, ["busy"] = 5, ["queueDelayMs"] = delay, ["blockedThreads"] = threads - 1,
        ["cpuPercent"] = 12.5,
    };

    private static JsonObject Times(double total, double mean, double max) => new() { ["total"] = total, ["mean"] = mean, ["max"] = max };

    private static JsonObject Range(double low, double high) => new() { ["low"] = low, ["high"] = high };
}
