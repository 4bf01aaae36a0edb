using AsyncProbe.Clocks;
using AsyncProbe.Common;

namespace AsyncProbe.Rules;

/// <summary>One sentence a colleague would say about an endpoint, with its numbers.</summary>
internal static class Advice
{
    // A smaller part of the work is left unsaid.
    private const double MuchOfTheWork = 0.05;

    private const double AtMostAfterResponse = 1.2;

    // For two figures that were computed in different ways from equal times.
    private const double Rounding = 1.01;

    public static string Write(EndpointCase endpoint, Verdict verdict) => endpoint.IsCollecting
        ? Collecting(endpoint)
        : Sentence(endpoint, verdict) + Once(endpoint, verdict) + Since(endpoint);

    /// <summary>The section of docs/blocking.md with the details; null if nothing needs changing.</summary>
    public static string? HelpFor(EndpointCase endpoint, Verdict verdict) => verdict switch
    {
        Verdict.AsyncWillHelp => endpoint.Worst?.Help ?? HelpSections.Unnamed,
        Verdict.LockContention => HelpSections.Lock,
        Verdict.ProviderIsSynchronous => ProviderOf(endpoint).Help,
        _ => null,
    };

    private static string Collecting(EndpointCase endpoint)
    {
        if (!endpoint.HasClock)
        {
            return "No verdict: this platform doesn't report a thread's CPU time.";
        }

        var whose = endpoint.IsOperation ? "The first" : "An endpoint's first";
        return $"Collecting: {endpoint.Requests} of {Verdicts.RequestsNeeded} {endpoint.Noun}s. {whose} {Verdicts.ColdRequests} "
            + $"{endpoint.Noun}s, and those that run at the same time, don't count because they include JIT compilation; "
            + $"{(endpoint.IsOperation ? "run" : "send")} {Verdicts.RequestsNeeded - endpoint.Requests} more after them.";
    }

    private static string Sentence(EndpointCase endpoint, Verdict verdict)
    {
        var mean = endpoint.Mean;
        return verdict switch
        {
            Verdict.NotEnoughData => $"No verdict. {WaitsForACore(endpoint)}. Look again when the cores are less busy.",
            Verdict.Fine when IsMuchUnclear(endpoint) && !mean.IsMostlyCpuWait =>
                $"{WaitsForCollections(endpoint)}. Look at the collections first.",
            Verdict.AsyncWillHelp =>
                $"{DoesNothing(endpoint)}, {Where(endpoint)}: "
                    + $"{Remedy(endpoint)} {Gain(endpoint, endpoint.Parts.Blocked)}.{Hint(endpoint)}",
            Verdict.LockContention => Locked(endpoint) + AlsoAwaitable(endpoint),
            Verdict.ProviderIsSynchronous => InProvider(endpoint, ProviderOf(endpoint)) + AlsoAwaitable(endpoint),
            Verdict.CpuBound => CpuBound(endpoint),
            Verdict.AlreadyAsync =>
                $"{endpoint.Nouns} take {Words.Milliseconds(endpoint.MeanDuration ?? Duration.Zero)} and hold a thread "
                    + $"for {Words.Milliseconds(mean.Held)} of it: the waits are awaited, so there is nothing to gain here.",
            _ => Fine(endpoint),
        };
    }

    private static string DoesNothing(EndpointCase endpoint) => FewAreBlocked(endpoint)
        ? FewBlocked(endpoint, LastingPart(endpoint, ", ", ""))
        : $"Each {endpoint.Noun} holds {(IsParallel(endpoint) ? "several pool threads" : "a pool thread")} "
            + $"for {Words.Milliseconds(endpoint.Mean.Held)}{(IsParallel(endpoint) ? " in all" : "")}{CpuWaitPart(endpoint.Mean)}, and for "
            + $"{Words.Milliseconds(endpoint.Mean.Blocked)} of that {(IsParallel(endpoint) ? "a" : "the")} thread does "
            + $"nothing{LastingPart(endpoint, " (", ")")}";

    // One thread can't be held for longer than the request lasts, apart from what is left to do after the response.
    private static bool IsParallel(EndpointCase endpoint) =>
        endpoint.MeanDuration is { } duration && duration > Duration.Zero && endpoint.Mean.Held > duration * AtMostAfterResponse;

    private static string Blocked(EndpointCase endpoint) =>
        FewAreBlocked(endpoint) ? FewBlocked(endpoint) : $"Each {endpoint.Noun} is blocked for {BlockedOfHeld(endpoint.Mean)}";

    private static string FewBlocked(EndpointCase endpoint, string alsoOverAll = "") =>
        $"{Words.Number(endpoint.BlockedRequests)} of {Words.Count(endpoint.Requests, endpoint.Noun)} "
            + $"{(endpoint.BlockedRequests == 1 ? "was" : "were")} blocked, for {Words.Milliseconds(OfTheBlocked(endpoint))} on average "
            + $"({BlockedOfHeld(endpoint.Mean)} over all {endpoint.Noun}s{alsoOverAll})";

    private static string BlockedOfHeld(HeldSplit mean) => $"{Words.Milliseconds(mean.Blocked)} of {Words.Milliseconds(mean.Held)} held";

    // A mean over all requests would hide that most of them aren't blocked. If the mean of the blocked ones were above their root mean
    // square, it would contain time of the others, whose waits are too short to count.
    private static bool FewAreBlocked(EndpointCase endpoint) =>
        endpoint.BlockedRequests is > 0 and var blocked && blocked < endpoint.Requests / 2
        && OfTheBlocked(endpoint).TotalMilliseconds <= Math.Sqrt(endpoint.BlockedSquares / blocked) * Rounding;

    private static Duration OfTheBlocked(EndpointCase endpoint) =>
        (endpoint.Parts.Blocked - endpoint.Parts.Allowed) * endpoint.Requests / endpoint.BlockedRequests;

    // The verdict looks at what can be changed. That may be less than half of the blocked time.
    private static string PartOf(EndpointCase endpoint, Duration part) =>
        part > endpoint.Mean.Blocked / 2L ? "most of it" : $"{Words.Milliseconds(part)} of it";

    private static string Locked(EndpointCase endpoint)
    {
        var begin = $"{Blocked(endpoint)}, {PartOf(endpoint, endpoint.Parts.Locks)} at a contended lock";
        return endpoint.PlaceFor(Verdict.LockContention) switch
        {
            { Owner: { } owner, IsLogger: true } place =>
                $"{begin} of {owner} ({place.Text}): async will not help; log less here, or let the logger write in the background.",
            { Owner: { } owner } place =>
                $"{begin} of {owner} ({place.Text}): async will not help; call it less often, or from fewer threads.",
            var place =>
                $"{begin}{(place is null ? "" : $" ({place.Text})")}: async will not help; hold the lock for less time, or share less.",
        };
    }

    private static SynchronousProvider ProviderOf(EndpointCase endpoint) => endpoint.Provider ?? SynchronousProvider.SomeDatabase;

    private static string InProvider(EndpointCase endpoint, SynchronousProvider provider) =>
        $"{Blocked(endpoint)}, {PartOf(endpoint, endpoint.Parts.Provider)} {(endpoint.IsProviderFromCode ? "probably " : "")}"
            + $"inside {provider.Name}, which {provider.Behavior}: "
            + "await doesn't free a thread here; "
            + (endpoint.IsProviderBusy && provider.IsDatabase
                ? "it sleeps and retries while the database is locked, so shorter write transactions help"
                : provider.Relief)
            + (endpoint.IsProviderFromCode
                ? ". The wait hook saw no wait, and the endpoint's code calls nothing else that waits where the hook can't see it."
                    + WaitsSeenTexts.Hint(endpoint.HasSnapshots)
                : ".");

    // Await doesn't help where most of the time goes, but it may help with the rest.
    private static string AlsoAwaitable(EndpointCase endpoint) =>
        endpoint is { Worst: { } worst, Ceiling.Gain: >= Verdicts.WorthwhileGain } && endpoint.Parts.Avoidable >= Duration.Millisecond
            ? $" Another {Words.Milliseconds(endpoint.Parts.Avoidable)} can be awaited"
                + $"{(endpoint.HasOtherPlaces ? ", part of it" : "")} at {worst.Text}: {Remedy(endpoint)} "
                + $"{Gain(endpoint, endpoint.Parts.Avoidable)}."
            : "";

    private static string CpuBound(EndpointCase endpoint)
    {
        var (mean, parts) = (endpoint.Mean, endpoint.Parts);
        var limit = endpoint.Ceiling?.Now.Safe is { } rate ? $" of {Words.PerSecond(rate, endpoint.Noun)}" : "";
        const string Remedy = "; less work, a cache or more cores will.";

        // Also give the total held time: a small part of it alone would leave readers guessing about the rest.
        var work = Words.Milliseconds(mean.Cpu + mean.Gc);
        var isWork = mean.Gc > (mean.Cpu + mean.Gc) * MuchOfTheWork ? "is CPU work and garbage collection" : "is CPU work";
        var begin = mean.IsMostlyCpuWait ? $"{WaitsForACore(endpoint)}; {work} {isWork}"
            : IsMuchUnclear(endpoint) ? $"{WaitsForCollections(endpoint)}; {work} {isWork}"
            : $"{work} of the {Words.Milliseconds(mean.Held)} held {isWork}{UnplacedPart(endpoint)}";
        return parts.Avoidable >= Duration.Millisecond && !Verdicts.IsOfOneRequest(endpoint) && !Verdicts.IsOfFewAtUnknownPlace(endpoint)
            ? $"{begin}, and with {Words.Count(endpoint.Ceiling?.Threads ?? 0, "thread")} that sets the ceiling{limit}: "
                + $"awaiting the {Words.Milliseconds(parts.Avoidable)} that can be awaited would hardly raise it"
                + Remedy
            : $"{begin}: async will not raise the ceiling" + limit + Remedy;
    }

    // The runtime itself stops a thread when it compiles code, loads types or allocates under pressure.
    private static string UnplacedPart(EndpointCase endpoint) =>
        !BlockedParts.IsMuch(endpoint.Parts.Unplaced, endpoint.Mean) ? ""
        : $", and for {Words.Milliseconds(endpoint.Parts.Unplaced)} the thread is blocked "
            + (endpoint.Worst is { } worst
                ? $"at places that are mostly unknown, one of them {worst.Text}"
                : "outside any call that could be awaited, perhaps in the runtime itself");

    private static bool IsMuchUnclear(EndpointCase endpoint) => BlockedParts.IsMuch(endpoint.Parts.Unclear, endpoint.Mean);

    private static string WaitsForCollections(EndpointCase endpoint) =>
        $"{endpoint.Nouns} hold a thread for {Words.Milliseconds(endpoint.Mean.Held)}. Garbage collections pause the process "
            + $"for {Words.Milliseconds(endpoint.Mean.Gc + endpoint.Mean.BlockedInGc)} of that, so for "
            + $"{Words.Milliseconds(endpoint.Parts.Unclear)} it is unclear whether the thread waited for a collection or for something else";

    private static string WaitsForACore(EndpointCase endpoint) =>
        $"{endpoint.Nouns} hold a thread for {Words.Milliseconds(endpoint.Mean.Held)}, and for "
            + $"{Words.Milliseconds(endpoint.Mean.CpuWait)} of that it waits for a core"
            + (IsMuchUnclear(endpoint)
                ? $", and for another {Words.Milliseconds(endpoint.Parts.Unclear)} it is blocked at an unknown place, perhaps by a thread that "
                    + "is itself waiting for a core"
                : "");

    private static string Fine(EndpointCase endpoint)
    {
        var (mean, parts) = (endpoint.Mean, endpoint.Parts);

        // As in the verdict, leave out waits for a core: they come from the load.
        if (parts.Allowed >= Duration.Millisecond && parts.Allowed >= (mean.Held - mean.CpuWait) / 2)
        {
            var reason = endpoint.AllowedReason is null ? "" : $" ({endpoint.AllowedReason})";
            return $"{endpoint.Nouns} hold a thread for {Words.Milliseconds(mean.Held)}, and for {Words.Milliseconds(parts.Allowed)} "
                + $"of that they are blocked where blocking is allowed{reason}: nothing here needs changing.";
        }

        return mean.IsMostlyCpuWait
            ? $"{WaitsForACore(endpoint)}: other work takes the cores, and nothing here needs changing."
            : $"{endpoint.Nouns} hold a thread for {Words.Milliseconds(mean.Held)}{UnplacedPart(endpoint)}: there is nothing to gain here.";
    }

    private static string CpuWaitPart(HeldSplit mean) =>
        mean.IsMostlyCpuWait ? $" ({Words.Milliseconds(mean.CpuWait)} of it waiting for a core)" : "";

    // The part of the blocked time that await doesn't remove.
    private static string LastingPart(EndpointCase endpoint, string before, string after)
    {
        var parts = endpoint.Parts;
        List<string> kept = [];
        if (parts.Allowed >= Duration.Millisecond)
        {
            kept.Add($"{Words.Milliseconds(parts.Allowed)} of it where blocking is allowed");
        }

        if (BlockedParts.IsMuch(parts.Provider, endpoint.Mean))
        {
            kept.Add($"{Words.Milliseconds(parts.Provider)} of it inside {ProviderOf(endpoint).Name}, where await frees no thread");
        }

        if (BlockedParts.IsMuch(parts.Locks, endpoint.Mean))
        {
            kept.Add($"{Words.Milliseconds(parts.Locks)} of it at locks");
        }

        return kept.Count == 0 ? "" : before + string.Join(", ", kept) + after;
    }

    private static string Where(EndpointCase endpoint) => endpoint switch
    {
        { Worst: { } worst, HasChanged: true } => $"longest so far at {worst.Text}",
        { Worst: { } worst, IsWorstMostOfIt: true } => $"most at {worst.Text}",
        { Worst: { } worst } => $"part of it at {worst.Text}",
        { Seen: WaitsSeen.NotLooked, WillLook: false } => WaitsSeenTexts.DetectionIsOff,
        { Seen: WaitsSeen.NotLooked } => WaitsSeenTexts.NotLooked,
        { MinorPlace: { } place } => $"{WaitsSeenTexts.Unknown}, a small part of it at {place.Text}",
        _ => WaitsSeenTexts.Unknown,
    };

    private static string Hint(EndpointCase endpoint) =>
        endpoint is { Worst: null, Seen: not WaitsSeen.NotLooked } ? WaitsSeenTexts.Hint(endpoint.HasSnapshots) : "";

    // The gain is that of all places.
    private static string Remedy(EndpointCase endpoint) => endpoint switch
    {
        { Worst: { Instead: null, IsAwaitable: false } or null, HasOtherPlaces: true } => "if this call and the others can be awaited,",
        { Worst: { Instead: null, IsAwaitable: false } or null } => "if the call can be awaited,",
        { Worst.Instead: var instead, HasOtherPlaces: var others } =>
            $"await instead{(instead is null ? "" : $" ({instead})")}, and{(others ? " if the other waits are awaited too," : "")}",
    };

    private static string Gain(EndpointCase endpoint, Duration saidTime)
    {
        var (ceiling, parts) = (endpoint.Ceiling, endpoint.Parts);
        var during = BlockedParts.IsNearlyAll(parts.Avoidable, saidTime)
            ? "during that time"
            : $"for {Words.Milliseconds(parts.Avoidable)} of that time";
        if (endpoint.Limit is { } limit)
        {
            return $"the thread is free {during}; {limit} still sets the rate";
        }

        if (ceiling is not { Now.Safe: { } now, IfAsync: { High: { } most } then } || now <= 0)
        {
            return $"the thread is free {during}";
        }

        if (ceiling.Gain < Verdicts.WorthwhileGain)
        {
            return $"the thread is free {during}; the rate hardly rises, because the pool had already grown to "
                + Words.Count(ceiling.Threads, "thread");
        }

        if (then.Low is { } low)
        {
            return $"the ceiling rises from {Words.Rate(now)} to about {Words.PerSecond(low, endpoint.Noun)} ({Words.Times(low / now)} "
                + $"at {Words.Count(ceiling.Threads, "thread")})";
        }

        // With so little work, we can't promise a rate, and a factor would sound like one.
        var gone = $"the limit of {Words.PerSecond(now, endpoint.Noun)}, with the {Words.Count(ceiling.Threads, "thread")} that the pool "
            + "had, is gone";
        return ceiling.IsIfAsyncUnknown ? gone : $"{gone}; the CPU time then allows up to {Words.Rate(most)}, unless what it waits for "
            + "allows less";
    }

    private static string Once(EndpointCase endpoint, Verdict verdict) =>
        verdict is not (Verdict.CpuBound or Verdict.AlreadyAsync or Verdict.Fine) ? ""
        : Verdicts.IsOfOneRequest(endpoint)
            ? $" One of the last {Words.Count(endpoint.Requests, endpoint.Noun)} accounts for most of the "
                + $"{Words.Milliseconds((endpoint.Parts.Blocked - endpoint.Parts.Allowed) * endpoint.Requests)} for which they were blocked"
                + (endpoint.Parts.Allowed >= Duration.Millisecond ? " where blocking isn't allowed" : "")
                + ", and a single request is not a pattern."
        : Verdicts.IsOfFewAtUnknownPlace(endpoint)
            ? $" Only {endpoint.BlockedRequests} of the last {Words.Count(endpoint.Requests, endpoint.Noun)} "
                + $"{(endpoint.BlockedRequests == 1 ? "was" : "were")} blocked for a millisecond or more, at a place that isn't known, and "
                + "so few are not a pattern."
        : "";

    private static string Since(EndpointCase endpoint) => endpoint.HasChanged
        ? $" Based on its last {Words.Count(endpoint.Requests, endpoint.Noun)}; earlier ones were different."
        : "";
}
