using AsyncProbe.Blocking.Hook;
using AsyncProbe.Blocking.Kinds;
using AsyncProbe.Blocking.Methods;
using AsyncProbe.Blocking.Sites;
using AsyncProbe.Blocking.Stacks;
using AsyncProbe.Blocking.Waits;
using AsyncProbe.Common;
using AsyncProbe.Requests;
using AsyncProbe.Requests.Counts;
using AsyncProbe.Rules;

namespace AsyncProbe;

/// <summary>
/// Checks in a test whether code blocks a thread, without a web app: <c>await BlockingGuard.AssertNoBlockingAsync(() =&gt;
/// service.LoadAsync())</c>. The code runs on the thread pool, because test frameworks run tests on their own threads and contexts.
/// </summary>
[FrameOwner(FrameOwner.ProbeEntry)]
public static class BlockingGuard
{
    private const int MaxSites = 500;

    // The thread's clock also counts disk reads when code is loaded for the first time; a sleep worth finding is longer.
    private static Duration ClockMinimum => Duration.FromMilliseconds(10);

    private static readonly Frames s_frames = new(UserCode.Create([]));

    /// <summary>
    /// Runs the code, and throws if it blocked a thread: for a millisecond or more at a call site, or for 10 ms or more in total in waits
    /// that only the thread's clock notices, such as <c>Thread.Sleep</c>. Waits inside <see cref="BlockingScope.Allow"/> are allowed. The
    /// code's own exceptions pass through.
    /// </summary>
    /// <param name="code">The code to check.</param>
    /// <returns>A task that completes when the code has finished without blocking.</returns>
    /// <exception cref="BlockingCallException">The code blocked; the message lists where, for how long, and the stacks.</exception>
    /// <example>
    /// <code>
    /// using AsyncProbe;
    /// using Xunit;
    ///
    /// public class CheckoutTests
    /// {
    ///     [Fact]
    ///     public Task Checkout_DoesNotBlock() =&gt;
    ///         BlockingGuard.AssertNoBlockingAsync(() =&gt; new Checkout().RunAsync());
    /// }
    /// </code>
    /// </example>
    public static async Task AssertNoBlockingAsync(Func<Task> code)
    {
        var calls = await CollectAsync(code).ConfigureAwait(false);
        if (calls.Count > 0)
        {
            throw new BlockingCallException(calls);
        }
    }

    /// <summary>Runs the code, and returns the call sites that blocked a thread. The code's own exceptions pass through.</summary>
    /// <param name="code">The code to check.</param>
    /// <returns>
    /// The call sites, worst first; empty if nothing blocked. The limits are those of <see cref="AssertNoBlockingAsync"/>. Blocked time
    /// that only the thread's clock noticed comes last, as one entry of kind <c>Unseen</c>.
    /// </returns>
    /// <example>
    /// <code>
    /// using AsyncProbe;
    ///
    /// foreach (var call in await BlockingGuard.CollectAsync(() =&gt; new Checkout().RunAsync()))
    /// {
    ///     Console.WriteLine($"{call.At} ({call.File}:{call.Line}) blocked {call.Count} times, for {call.Blocked.TotalMilliseconds} ms");
    /// }
    /// </code>
    /// </example>
    public static async Task<IReadOnlyList<BlockingCall>> CollectAsync(Func<Task> code)
    {
        ArgumentNullException.ThrowIfNull(code);
        var sites = new BlockingSites(MaxSites, new AllowRules([]));
        var hook = new BlockingContext(new WaitRecorder(sites, s_frames), Duration.Millisecond);
        var probe = new RequestProbe { Armed = new ArmedRequest(hook) };

        // Set the endpoint now, because this request isn't routed, and waits are kept back until the endpoint is known.
        probe.Attribute(new EndpointTotals(RowNames.Unmatched, null, RowNames.OtherMethod));
        await Task.Run(() => RunAsync(code, probe)).ConfigureAwait(false);

        var (whole, _) = probe.End(Timestamp.Now());
        var calls = sites.Read().Where(s => s.Allowed is null).OrderByDescending(s => s.Total).Select(Describe).ToList();
        var unseen = whole.BlockedOutsideGc - (probe.Waits?.Explained ?? Duration.Zero);
        if (unseen >= ClockMinimum)
        {
            var at = CallStacks.Here.NameMethods ? WaitsSeenTexts.Unknown : WaitsSeenTexts.NoMethods;
            calls.Add(new BlockingCall { Kind = "Unseen", At = at, Count = 0, Blocked = unseen.ToTimeSpan() });
        }

        return calls;
    }

    private static async Task RunAsync(Func<Task> code, RequestProbe probe)
    {
        var saved = ThreadSegments.Enter(probe);
        try
        {
            await code().ConfigureAwait(false);
        }
        finally
        {
            ThreadSegments.Exit(probe, saved);
        }
    }

    private static BlockingCall Describe(BlockingSite site) =>
        new()
        {
            Kind = site.Kind.Name(),
            At = site.At?.Name ?? "(other)",
            File = site.At?.Line?.File,
            Line = site.At?.Line?.Line,
            Count = site.Count,
            Blocked = site.Total.ToTimeSpan(),
            Stack = [.. site.Stack.Select(f => f.Text)],
        };
}
