namespace AsyncProbe.Truth.Tests.Generator;

/// <summary>What is true of a row, from its pieces and from what its own clocks measured.</summary>
internal static class RowTruth
{
    /// <param name="row">The row.</param>
    /// <param name="setting">How it ran.</param>
    /// <param name="measured">Its own clocks' sums; null when it has none.</param>
    /// <param name="waited">For how long its mean request waited for a core, in milliseconds, as AsyncProbe says.</param>
    /// <param name="queued">The longest queue delay of the whole run, in milliseconds.</param>
    /// <param name="told">For how long its mean request was blocked, in milliseconds, as AsyncProbe says.</param>
    public static EndpointTruth Of(Row row, RuntimeSetting setting, Measured? measured, double waited, double queued, double told)
    {
        var wait = row.Wait;
        var isLoud = setting.IsLoud;
        var isBlocking = wait.Kind is not null;

        // The rows with clocks show that what is told of waits for a core can be believed.
        // After the response nobody tells waits for a core apart, so only its own clocks could.
        var isLate = waited > row.Ms * 0.5 || (measured is { Count: > 0 } m && m.Blocked / m.Count < row.Ms * 0.5);
        var isCrowdedOut = (wait.SpinsFirst && row.Shape.IsAfterResponse && measured is null)
            || ((wait.SpinsFirst || wait.IsUnderWay) && isLate);
        var extra = isLoud ? double.PositiveInfinity : Extra(row, setting);

        // Compiling a request's code for the first time takes 10 to 60 ms, which the few cold requests share; a whole MVC pipeline the
        // most.
        var work = row.Temperature == Temperature.Cold || row.Ms > 100 ? setting.IsCompilingAll ? 300.0 : 30.0 : 8.0;
        var blocked = row.Course != Course.Steady || wait.IsParallel ? Between.AtLeast(0) : Blocked(row, measured);
        var ownCpu = measured is { Count: > 0 } own ? own.Cpu / own.Count : wait.CpuMs;
        var isInRequest = !row.Shape.IsAfterResponse;
        return new EndpointTruth
        {
            Endpoint = row.Endpoint,
            Note = row.Note,
            // With a full console queue an endpoint that does nothing does block, also where it has one client: the crowds beside it fill
            // the queue.
            Verdict = isCrowdedOut || (isLoud && !isBlocking) || IsStarved(row, waited) ? null
                : IsBlockedElsewhere(measured, told, waited) && VerdictOf(row, queued) is { } verdict
                    ? verdict + "|asyncWillHelp|lockContention"
                : VerdictOf(row, queued),
            MayBlockInLibraries = isLoud,
            Requests = row.Requests,
            BlockedMs = isInRequest && isBlocking ? new Between(blocked.Low, blocked.High + extra) : Between.AtMost(extra),
            CpuMs = isInRequest ? new Between((ownCpu * 0.95) - 0.3, ownCpu + work) : Between.AtMost(work),
            HeldMs = isInRequest ? Between.AtLeast((isBlocking ? blocked.Low : 0) + (ownCpu * 0.95) - 0.3) : null,
            AfterResponseMs = isInRequest ? null : Between.AtLeast((isBlocking ? blocked.Low : 0) + (ownCpu * 0.95) - 0.5),
            // A thread that was stopped on its way out of a segment counts it after the response.
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
                        // The other threads of a loop have none of the application's code on their stacks.
                        OrInCaller = wait.IsParallel ? [new Place("Slow.Wait20", null, null)] : [],
                    },
                ],
        };
    }

    // What else blocks in a request: the JIT compiler's and the type loader's locks, which many cold requests at once wait for, the long
    // waits most of all, which all begin together when the process has just started. And an
    // oversubscribed core makes some of a CPU loop look blocked, at most 2 % of it.
    private static double Extra(Row row, RuntimeSetting setting)
    {
        var cold = row.Ms > 100 ? 40.0 : row.Temperature == Temperature.Cold ? 15.0 : row.Clients > 4 ? 6.0 : 3.0;
        return (setting.IsCompilingAll ? 10 * cold : cold) + (0.05 * row.Wait.CpuMs * row.Clients);
    }

    // What does nothing, and waits for a core a hundred times as long as it would take, meets whatever a crowded machine lets it wait for:
    // pages of memory that went to disk, locks whose holders have no core either.
    private static bool IsStarved(Row row, double waited) => row.Wait.Family == Family.Nothing && waited > 20;

    // By the endpoint's own clocks, its statement is the smaller part of what blocked it: on a machine without memory or cores to spare
    // the rest of a request waits too, and decides. Such a machine shows in the waits for a core.
    private static bool IsBlockedElsewhere(Measured? measured, double told, double waited) =>
        waited > 1 && measured is { Count: > 0, Blocked: > 0 } own && told > 2 * (own.Blocked / own.Count) + 5;

    private static string? VerdictOf(Row row, double queued) => (row.Shape, row.Wait.Family) switch
    {
        // The handler itself does nothing.
        ({ IsAfterResponse: true }, _) => "fine",
        // Whether the await counts for the request depends on when the client has its answer.
        ({ IsAfterHeaders: true }, Family.Await) => null,
        _ when row.Course == Course.TurnsOff => "fine",
        // The delay before it is awaited, and is most of the request where nothing else takes time.
        _ when row.Position.IsTimed && row.Wait.Family is Family.Nothing or Family.Allowed => row.Wait.Verdict + "|alreadyAsync",
        // A continuation that queues for a thread awaits nothing, and nobody can tell the two apart from outside.
        (_, Family.Await) when queued > 2 => "alreadyAsync|fine",
        _ => row.Wait.Verdict,
    };

    // A baseline of a thread's clocks may be up to 1 ms old, and so each reading is off by as much at the worst; the mean by less.
    private static Between Blocked(Row row, Measured? measured) => measured is { Count: > 0 } own
        ? new Between((0.95 * own.Blocked / own.Count) - 1, (1.05 * own.Blocked / own.Count) + 1)
        // Without own clocks: waits that spin first may find their time over before they wait on a crowded core,
        // and a crowd may wait longer than it asked for: for connections, for instance.
        : new Between(0, row.Clients == 1 ? (row.Ms * 1.5) + 10 : double.PositiveInfinity);
}

/// <summary>Milliseconds that an endpoint measured itself, over all of its requests.</summary>
internal sealed record Measured(long Count, double Blocked, double Cpu);
