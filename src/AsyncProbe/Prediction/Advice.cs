using AsyncProbe.Blocking.Sites;
using AsyncProbe.Blocking.Stacks;
using AsyncProbe.Clocks;
using AsyncProbe.Common;
using AsyncProbe.Requests.Endpoints;

namespace AsyncProbe.Prediction;

/// <summary>One sentence a colleague would say about an endpoint, with its numbers.</summary>
internal static class Advice
{
    public static string For(EndpointState state) => state.IsCollecting
        ? Collecting(state)
        : Sentence(state, state.Window.Sum.Mean) + Once(state) + Since(state);

    /// <summary>The section of docs/blocking.md that tells more; null where there is nothing to change.</summary>
    public static string? HelpFor(EndpointState state) => state.Verdict switch
    {
        Verdict.AsyncWillHelp => state.Worst?.Kind.Help() ?? WaitKinds.UnnamedHelp,
        Verdict.LockContention => WaitKind.Lock.Help(),
        Verdict.ProviderIsSynchronous => WaitKinds.ProviderHelp,
        _ => null,
    };

    private static string Collecting(EndpointState state)
    {
        if (!ThreadClock.HasCpu)
        {
            return "No verdict: this platform does not tell the CPU time of a thread.";
        }

        var (seen, whose) = (state.Window.Sum.Requests, state.IsOperation ? "The first" : "An endpoint's first");
        return $"Collecting: {seen} of {Verdicts.RequestsNeeded} {state.Noun}s. {whose} {EndpointTotals.ColdRequests} {state.Noun}s and "
            + "those beside them "
            + $"carry the JIT's time and do not count; {(state.IsOperation ? "run" : "send")} {Verdicts.RequestsNeeded - seen} more after "
            + "them.";
    }

    private static string Sentence(EndpointState state, HeldSplit mean) => state.Verdict switch
    {
        Verdict.NotEnoughData =>
            $"No verdict. {WaitsForACore(state, mean)}. Look again while the cores are less busy.",
        Verdict.Fine when IsMuchUnclear(state, mean) && !mean.IsMostlyCpuWait =>
            $"{WaitsForCollections(state, mean)}: look at the collections first.",
        Verdict.AsyncWillHelp =>
            $"Each {state.Noun} holds a pool thread for {Words.Milliseconds(mean.Held)}, and for {Words.Milliseconds(mean.Blocked)} of "
                + "that the thread does nothing"
            + AllowedPart(state.Parts) + $", {Where(state)}: {Remedy(state.Worst)}, and {Gain(state)}." + Hint(state),
        Verdict.LockContention =>
            $"Each {state.Noun} is blocked for {Words.Milliseconds(mean.Blocked)} of {Words.Milliseconds(mean.Held)} held, most of it at "
                + "a contended lock"
            + (state.Worst is null ? "" : $" ({state.Worst.Text})")
            + ": async will not help; hold the lock for less time, or share less.",
        Verdict.ProviderIsSynchronous =>
            $"Each {state.Noun} is blocked for {Words.Milliseconds(mean.Blocked)} of {Words.Milliseconds(mean.Held)} held, most of it "
                + $"inside {state.Provider}, "
            + "which waits in its asynchronous methods too: await frees no thread here; "
            + (state.IsProviderBusy
                ? "it sleeps and tries a locked database again, so shorter write transactions help"
                : "fewer or shorter commands help")
            + ".",
        Verdict.CpuBound => CpuBound(state, mean),
        Verdict.AlreadyAsync =>
            $"{state.Nouns} take {Words.Milliseconds(state.Window.Sum.MeanDuration ?? Duration.Zero)} and hold a thread "
                + $"for {Words.Milliseconds(mean.Held)} of it: the waits are awaited, so there is nothing to gain here.",
        _ => Fine(state, mean),
    };

    private static string CpuBound(EndpointState state, HeldSplit mean)
    {
        var limit = state.Ceiling?.Now.Safe is { } rate ? $" of {Words.PerSecond(rate, state.Noun)}" : "";
        const string Remedy = "; less work, a cache or more cores will.";

        // Said alone, a small part of what is held would leave the reader to guess at the rest.
        var work = Words.Milliseconds(mean.Cpu + mean.Gc);
        var begin = mean.IsMostlyCpuWait ? $"{WaitsForACore(state, mean)}; {work} is CPU work"
            : IsMuchUnclear(state, mean) ? $"{WaitsForCollections(state, mean)}; {work} is CPU work"
            : $"{work} of the {Words.Milliseconds(mean.Held)} held is CPU work";
        return state.Parts.Avoidable >= Duration.Millisecond && !Verdicts.IsOfOneRequest(state.Window, state.Parts)
            ? $"{begin}, and with {Words.Count(state.Ceiling?.Threads ?? 0, "thread")} that sets the ceiling{limit}: "
                + $"to await the {Words.Milliseconds(state.Parts.Avoidable)} for which the thread does nothing would hardly raise it"
                + Remedy
            : $"{begin}: async will not raise the ceiling" + limit + Remedy;
    }

    private static bool IsMuchUnclear(EndpointState state, HeldSplit mean) =>
        BlockedParts.IsMuch(state.Parts.Unclear, mean);

    private static string WaitsForCollections(EndpointState state, HeldSplit mean) =>
        $"{state.Nouns} hold a thread for {Words.Milliseconds(mean.Held)}. Garbage collections pause the process "
            + $"for {Words.Milliseconds(mean.Gc + mean.BlockedInGc)} of that, "
        + $"so for {Words.Milliseconds(state.Parts.Unclear)} nobody can tell whether the thread waited for a collection or for something "
            + "else";

    private static string WaitsForACore(EndpointState state, HeldSplit mean) =>
        $"{state.Nouns} hold a thread for {Words.Milliseconds(mean.Held)}, and for {Words.Milliseconds(mean.CpuWait)} of that it waits "
            + "for a core"
        + (IsMuchUnclear(state, mean)
            ? $", and for another {Words.Milliseconds(state.Parts.Unclear)} nobody has seen for what: perhaps for a thread that waits for "
                + "a core itself"
            : "");

    private static string Fine(EndpointState state, HeldSplit mean)
    {
        // As the verdict has it: a wait for a core is the crowd's doing.
        if (state.Parts.Allowed >= Duration.Millisecond && state.Parts.Allowed >= (mean.Held - mean.CpuWait) / 2)
        {
            var reason = state.AllowedReason is null ? "" : $" ({state.AllowedReason})";
            return $"{state.Nouns} hold a thread for {Words.Milliseconds(mean.Held)}, and for {Words.Milliseconds(state.Parts.Allowed)} "
                + $"of that they are blocked where it is allowed{reason}: nothing here needs changing.";
        }

        return mean.IsMostlyCpuWait
            ? $"{WaitsForACore(state, mean)}: other work takes the cores, and nothing here needs changing."
            : $"{state.Nouns} hold a thread for {Words.Milliseconds(mean.Held)}: there is nothing to gain here.";
    }

    private static string AllowedPart(BlockedParts parts) =>
        parts.Allowed >= Duration.Millisecond ? $" ({Words.Milliseconds(parts.Allowed)} of it where that is allowed)" : "";

    private static string Where(EndpointState state) => state switch
    {
        { Worst: { } worst, IsWorstMostOfIt: true } => $"most at {worst.Text}",
        { Worst: { } worst } => $"part of it at {worst.Text}",
        { Seen: WaitsSeen.NotLooked, WillLook: false } => WaitsSeenTexts.DetectionIsOff,
        { Seen: WaitsSeen.NotLooked } => WaitsSeenTexts.NotLooked,
        { Trifle: { } trifle } => $"{WaitsSeenTexts.Unknown}, a small part of it at {trifle.Text}",
        _ => WaitsSeenTexts.Unknown,
    };

    private static string Hint(EndpointState state) =>
        state is { Worst: null, Seen: not WaitsSeen.NotLooked } ? WaitsSeenTexts.Hint(state.HasSnapshots) : "";

    private static string Remedy(BlockingSite? worst) =>
        worst?.Awaitable is { } twin and not AwaitableTwins.AwaitIt ? $"await instead ({twin})" : "await instead";

    private static string Gain(EndpointState state)
    {
        var ceiling = state.Ceiling;
        if (ceiling is not { Now.Safe: { } now, IfAsync: { High: { } most } then } || now <= 0)
        {
            return "the thread is free meanwhile";
        }

        if (ceiling.Gain < Verdicts.WorthwhileGain)
        {
            return $"the thread is free meanwhile; the rate hardly rises, because the pool had {Words.Count(ceiling.Threads, "thread")} "
                + "to wait with";
        }

        if (then.Low is { } low)
        {
            return $"the ceiling rises from {Words.Rate(now)} to about {Words.PerSecond(low, state.Noun)} ({Words.Times(low / now)} "
                + $"at {Words.Count(ceiling.Threads, "thread")})";
        }

        // Of so little work no rate can be promised, and a factor would read as one.
        var limit = $"the limit of {Words.PerSecond(now, state.Noun)}, with the {Words.Count(ceiling.Threads, "thread")} that the pool "
            + "had, is gone";
        return ceiling.IsIfAsyncUnknown ? limit : $"{limit}; the CPU time then allows up to {Words.Rate(most)}";
    }

    private static string Once(EndpointState state) =>
        state.Verdict is Verdict.CpuBound or Verdict.AlreadyAsync or Verdict.Fine && Verdicts.IsOfOneRequest(state.Window, state.Parts)
            ? $" One of the last {Words.Count(state.Window.Sum.Requests, state.Noun)} accounts for most of "
                + $"the {Words.Milliseconds(state.Window.Sum.Split.Blocked - state.Window.Sum.Allowed)} for which they were blocked"
                + (state.Parts.Allowed >= Duration.Millisecond ? " where that is not allowed" : "") + ", and once is no pattern."
            : "";

    private static string Since(EndpointState state) =>
        state.Window.HasChanged
            ? $" Based on its last {Words.Count(state.Window.Sum.Requests, state.Noun)}; earlier ones were different."
            : "";
}
