using System.Text.Json.Nodes;
using Microsoft.AspNetCore.Http;

namespace AsyncProbe.Cli.Tests;

/// <summary>An answer in the shape of <c>/_threadpool</c> whose figures a test can move between polls.</summary>
internal sealed class FakeReport
{
    private readonly Lock _lock = new();
    private readonly DateTimeOffset _startedAt = DateTimeOffset.UtcNow.AddMinutes(-5);
    private int _polls;

    /// <summary>Null: there is no report.</summary>
    public bool IsThere { get; set; }

    /// <summary>Polls, from the second on, that get no answer.</summary>
    public bool HangsAfterTheFirst { get; set; }

    public bool NullsOnly { get; set; }

    /// <summary>How much the counts grow from one poll to the next.</summary>
    public int RequestsPerPoll { get; set; } = 10;

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
        // A server that has long been up: counts from before the run, 200 ms held a request, 198 of it blocked.
        var requests = 1000 + (poll * RequestsPerPoll);
        return new JsonObject
        {
            ["schema"] = 1,
            ["process"] = new JsonObject { ["processorCount"] = 2, ["runtime"] = ".NET 10", ["startedAt"] = _startedAt, ["uptimeMs"] = (now - _startedAt).TotalMilliseconds },
            ["pool"] = new JsonObject
            {
                ["workers"] = new JsonObject { ["available"] = 32760, ["busy"] = 7, ["min"] = 2, ["max"] = 32767 },
                ["threads"] = 4 + poll,
                ["pending"] = null,
                ["queueDelayMs"] = 1.5,
                ["state"] = "queueing",
                ["cause"] = "blocked",
                ["history"] = new JsonArray(
                    Moment(now.AddMinutes(-4), 900, 9000),
                    Moment(now.AddMilliseconds(-5), 21, 321)),
            },
            ["endpoints"] = NullsOnly ? new JsonArray() : new JsonArray(
                new JsonObject
                {
                    ["endpoint"] = "GET /plain", ["requests"] = requests, ["failed"] = 0, ["fromCache"] = 0, ["inFlight"] = 1,
                    ["heldMs"] = Times(requests * 200, 200, 450), ["cpuMs"] = Times(requests * 2, 2, 3), ["blockedMs"] = Times(requests * 198, 198, 440),
                    ["waitingMs"] = null, ["gcMs"] = Times(0, 0, 0), ["verdict"] = "asyncWillHelp", ["advice"] = "Await the call.",
                    ["ceilingPerSecond"] = new JsonObject { ["threads"] = 16, ["now"] = Range(70, 80), ["ifAsync"] = Range(900, 1000) },
                },
                new JsonObject { ["endpoint"] = "GET /untouched", ["requests"] = 77, ["heldMs"] = Times(1, 1, 1) }),
            ["sites"] = NullsOnly ? null : new JsonArray(new JsonObject
            {
                ["kind"] = "Task.Wait", ["at"] = "Orders.Load", ["file"] = "/src/Orders.cs", ["line"] = 42, ["via"] = null, ["count"] = requests,
                ["blockedMs"] = Times(requests * 198, 198, 440), ["endpoints"] = new JsonArray("GET /plain"),
            }),
            ["now"] = new JsonArray(),
            ["probe"] = new JsonObject { ["detection"] = "always", ["selfTest"] = "passed", ["notAvailable"] = new JsonArray() },
        };
    }

    private static JsonObject Moment(DateTimeOffset at, int threads, double delay) => new()
    {
        ["at"] = at, ["threads"] = threads, ["pending"] = 3, ["busy"] = 5, ["queueDelayMs"] = delay, ["blockedThreads"] = threads - 1, ["cpuPercent"] = 12.5,
    };

    private static JsonObject Times(double total, double mean, double max) => new() { ["total"] = total, ["mean"] = mean, ["max"] = max };

    private static JsonObject Range(double low, double high) => new() { ["low"] = low, ["high"] = high };
}
