namespace AsyncProbe.Apps.Tests.Running;

/// <summary>How long an endpoint holds a thread without doing anything.</summary>
internal static class Waits
{
    private const double Margin = 0.9;

    // A wait that spins first yields its core. On a crowded machine nearly all of it then counts as cpuWait: see docs/blocking.md.
    private const double NeverSpinsAway = 0.01;

    /// <summary>Waits for a task, a lock or a handle.</summary>
    public static EndpointTruth Waiting(this EndpointTruth truth, double milliseconds) =>
        truth with { HeldMs = Between.AtLeast(milliseconds * Margin), BlockedMs = Between.AtLeast(milliseconds * NeverSpinsAway) };

    /// <summary>Waits without spinning first.</summary>
    public static EndpointTruth Sleeping(this EndpointTruth truth, double milliseconds) =>
        truth with { HeldMs = Between.AtLeast(milliseconds * Margin), BlockedMs = Between.AtLeast(milliseconds * Margin) };
}
