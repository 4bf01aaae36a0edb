using AsyncProbe.Blocking.Sites;
using AsyncProbe.Clocks;
using AsyncProbe.Requests.Endpoints;

namespace AsyncProbe.Prediction;

/// <summary>What there is to say about an endpoint now.</summary>
/// <param name="Verdict">What was decided.</param>
/// <param name="Window">The last busy minutes.</param>
/// <param name="Parts">What the blocked time consists of.</param>
/// <param name="Ceiling">The prediction; null when there is none.</param>
internal sealed record EndpointState(Verdict Verdict, EndpointWindow Window, BlockedParts Parts, Ceiling? Ceiling)
{
    /// <summary>Whether it is about operations and not about requests.</summary>
    public bool IsOperation { get; init; }

    /// <summary>Whether there have been too few requests for a verdict, or there can be none.</summary>
    public bool IsCollecting => !ThreadClock.HasCpu || Window.Sum.Requests < Verdicts.RequestsNeeded;

    /// <summary>What is counted.</summary>
    public string Noun => IsOperation ? "operation" : "request";

    /// <summary>The same of several, at the beginning of a sentence.</summary>
    public string Nouns => IsOperation ? "Operations" : "Requests";

    /// <summary>The call site that blocked most without leave; null when none was seen.</summary>
    public BlockingSite? Worst { get; init; }

    /// <summary>A call site that explains next to nothing of the blocked time; null when none was seen.</summary>
    public BlockingSite? Trifle { get; init; }

    /// <summary>Whether it alone accounts for most of the blocked time.</summary>
    public bool IsWorstMostOfIt { get; init; } = true;

    /// <summary>Whether anybody has looked where the endpoint waits.</summary>
    public WaitsSeen Seen { get; init; }

    /// <summary>Whether the hook will look; false when detection is off.</summary>
    public bool WillLook { get; init; } = true;

    /// <summary>Whether stack snapshots look for what the hook cannot see.</summary>
    public bool HasSnapshots { get; init; }

    /// <summary>Why the allowed waits are allowed; null when that is not known.</summary>
    public string? AllowedReason { get; init; }

    /// <summary>The database provider that waits inside its asynchronous methods; null when none was seen.</summary>
    public string? Provider { get; init; }

    /// <summary>Whether the provider's time went mostly into trying a locked database again.</summary>
    public bool IsProviderBusy { get; init; }
}
