namespace AsyncProbe.Apps.Tests.Running;

/// <summary>How long an endpoint holds a thread and does nothing.</summary>
internal static class Waits
{
    private const double Margin = 0.9;

    // A wait that spins first yields its core, and on a crowded machine nearly all of it then reads as cpuWait: docs/blocking.md.
    private const double NeverSpinsAway = 0.01;

    /// <summary>A task, a lock or a handle.</summary>
    public static EndpointTruth Waiting(this EndpointTruth truth, double milliseconds) =>
        truth with { HeldMs = Between.AtLeast(milliseconds * Margin), BlockedMs = Between.AtLeast(milliseconds * NeverSpinsAway) };

    /// <summary>Where nothing spins.</summary>
    public static EndpointTruth Sleeping(this EndpointTruth truth, double milliseconds) =>
        truth with { HeldMs = Between.AtLeast(milliseconds * Margin), BlockedMs = Between.AtLeast(milliseconds * Margin) };
}
