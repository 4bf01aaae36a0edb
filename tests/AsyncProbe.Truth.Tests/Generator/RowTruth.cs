namespace AsyncProbe.Truth.Tests.Generator;

/// <summary>What is true of a row, according to its pieces and its own clocks.</summary>
internal static class RowTruth
{
    /// <param name="row">The row.</param>
    /// <param name="setting">How it ran.</param>
    /// <param name="measured">The sums of its own clocks; null if it has none.</param>
    /// <param name="waited">How long its mean request waited for a core, in milliseconds, according to AsyncProbe.</param>
    /// <param name="queued">The longest queue delay of the whole run, in milliseconds.</param>
    /// <param name="told">How long its mean request was blocked, in milliseconds, according to AsyncProbe.</param>
    public static EndpointTruth Of(Row row, RuntimeSetting setting, Measured? measured, double waited, double queued, double told)
    {
        var wait = row.Wait;
        var isLoud = setting.IsLoud;
        var isBlocking = wait.Kind is not null;

        // The rows with clocks show that AsyncProbe's figures for waits for a core can be trusted.
        // After the response AsyncProbe doesn't report waits for a core separately, so only the row's own clocks can show them.
        var isLate = waited > row.Ms * 0.5 || (measured is { Count: > 0 } m && m.Blocked / m.Count < row.Ms * 0.5);
        var isCrowdedOut = (wait.SpinsFirst && row.Shape.IsAfterResponse && measured is null)
            || ((wait.SpinsFirst || wait.IsUnderWay) && isLate);
        var extra = isLoud ? double.PositiveInfinity : Extra(row, setting);

        // Compiling a request's code for the first time takes 10 to 60 ms, which the few cold requests share. A whole MVC pipeline takes
        // longest.
        var work = row.Temperature == Temperature.Cold || row.IsLong ? setting.IsCompilingAll ? 300.0 : 30.0 : 8.0;
        var blocked = row.Course != Course.Steady || wait.IsParallel ? Between.AtLeast(0) : Blocked(row, measured);
        var ownCpu = measured is { Count: > 0 } own ? own.Cpu / own.Count : wait.CpuMs;
        var isInRequest = !row.Shape.IsAfterResponse;
        return new EndpointTruth
        {
            Endpoint = row.Endpoint,
            Note = row.Note,
            // When the console queue is full, an endpoint that does nothing does block, even with a single client: concurrent crowds fill
            // the queue.
            Verdict = isCrowdedOut || (isLoud && !isBlocking) || IsStarved(row, waited) ? null
                : IsBlockedElsewhere(measured, told, waited) && VerdictOf(row, setting, queued) is { } verdict
                    ? verdict + "|asyncWillHelp|lockContention"
                : VerdictOf(row, setting, queued),
            MayBlockInLibraries = isLoud,
            Requests = row.Requests,
            BlockedMs = isInRequest && isBlocking ? new Between(blocked.Low, blocked.High + extra) : Between.AtMost(extra),
            CpuMs = isInRequest ? new Between((ownCpu * 0.95) - 0.3, ownCpu + work) : Between.AtMost(work),
            HeldMs = isInRequest ? Between.AtLeast((isBlocking ? blocked.Low : 0) + (ownCpu * 0.95) - 0.3) : null,
            AfterResponseMs = isInRequest ? null : Between.AtLeast((isBlocking ? blocked.Low : 0) + (ownCpu * 0.95) - 0.5),
            // If a thread is stopped on its way out of a segment, the segment is counted after the response.
            SegmentsPerRequest = isInRequest && !row.Shape.IsAfterPipeline
                ? Between.AtLeast(0.8 + row.Position.Awaits + wait.Awaits)
                : null,
            Sites = wait.Kind is not { } kind
                ? []
                :
                [
                    new SiteTruth
                    {
                        Kind = kind,
                        Method = row.Method,
                        File = row.Name + ".cs",
                        Line = RowSource.LineOf(row),
                        SeenBy = isCrowdedOut ? SeenBy.Perhaps : wait.SeenBy,
                        Allowed = wait.Allowed,
                        BlocksMs = row.Ms,
                        // The other threads of a loop have no application code on their stacks.
                        OrInCaller = wait.IsParallel ? [new Place("Slow.Wait20", null, null)] : [],
                    },
                ],
        };
    }

    // Other code that blocks in a request: the locks of the JIT compiler and the type loader, which many concurrent cold requests wait for.
    // That affects long waits most, because they all begin together when the process has just started. And an
    // oversubscribed core makes part of a CPU loop look blocked, at most 2 % of it.
    private static double Extra(Row row, RuntimeSetting setting)
    {
        var cold = row.IsLong ? 40.0 : row.Temperature == Temperature.Cold ? 15.0 : row.Clients > 4 ? 6.0 : 3.0;
        return (setting.IsCompilingAll ? 10 * cold : cold) + (0.05 * row.Wait.CpuMs * row.Clients);
    }

    // A request that does nothing, and waits for a core a hundred times as long as it would run, also meets the other waits of a crowded
    // machine: for memory pages that were swapped out, and for locks whose holders have no core either.
    private static bool IsStarved(Row row, double waited) => row.Wait.Family == Family.Nothing && waited > 20;

    // By the endpoint's own clocks, its statement is the smaller part of what blocked it. On a machine without spare memory or cores, the
    // rest of a request waits as well, and decides. The waits for a core reveal such a machine.
    private static bool IsBlockedElsewhere(Measured? measured, double told, double waited) =>
        waited > 1 && measured is { Count: > 0, Blocked: > 0 } own && told > 2 * (own.Blocked / own.Count) + 5;

    private static string? VerdictOf(Row row, RuntimeSetting setting, double queued) => (row.Shape, row.Wait.Family) switch
    {
        // The handler itself does nothing.
        ({ IsAfterResponse: true }, _) => "fine",
        // Whether the await counts as part of the request depends on when the client gets its answer.
        ({ IsAfterHeaders: true }, Family.Await) => null,
        _ when row.Course == Course.TurnsOff => "fine",
        // The delay before the statement is awaited, and makes up most of the request if nothing else takes time.
        _ when row.Position.IsTimed && row.Wait.Family is Family.Nothing or Family.Allowed => row.Wait.Verdict + "|alreadyAsync",
        // A continuation that queues for a thread isn't awaiting anything, and from outside the two can't be distinguished.
        (_, Family.Await) when queued > 2 => "alreadyAsync|fine",
        // Only a snapshot shows that an unknown wait is for a file. It may miss a short one.
        (_, Family.File) when !setting.HasSnapshots => "asyncWillHelp",
        (_, Family.File) when !row.IsLong => row.Wait.Verdict + "|asyncWillHelp",
        _ => row.Wait.Verdict,
    };

    // A baseline of a thread's clocks may be up to 1 ms old, so each reading is off by at most that much, and the mean by less.
    private static Between Blocked(Row row, Measured? measured) => measured is { Count: > 0 } own
        ? new Between((0.95 * own.Blocked / own.Count) - 1, (1.05 * own.Blocked / own.Count) + 1)
        // Without its own clocks: on a crowded core, a wait that spins first may be over before it blocks,
        // and many clients may cause longer waits than the row asked for, for example for connections.
        : new Between(0, row.Clients == 1 ? (row.Ms * 1.5) + 10 : double.PositiveInfinity);
}

/// <summary>The milliseconds that an endpoint measured itself, over all of its requests.</summary>
internal sealed record Measured(long Count, double Blocked, double Cpu);
