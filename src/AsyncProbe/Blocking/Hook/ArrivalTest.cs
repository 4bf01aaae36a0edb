using AsyncProbe.Clocks;
using AsyncProbe.Requests;

namespace AsyncProbe.Blocking.Hook;

/// <summary>
/// Checks at startup that the runtime notifies us when code continues after an await. All measurements depend on this. A runtime that
/// suspends methods itself might leave it out, and requests would then seem to hold nothing.
/// </summary>
internal static class ArrivalTest
{
    /// <summary>The gap in the report if the test fails, as a sentence.</summary>
    public const string Gap = "held, cpu, cpuWait, gc, blocked and call sites: this runtime doesn't report when a request's code continues "
        + "after an await. Requests, durations and the pool are still measured.";

    private static readonly TimeSpan s_timeout = TimeSpan.FromSeconds(2);

    /// <summary>Runs the test once, and withdraws the figures if they would be wrong.</summary>
    /// <returns>False if the runtime doesn't notify us. True if no pool thread was free to run the test in time.</returns>
    public static async Task<bool> RunAsync()
    {
        try
        {
            if (await Task.Run(LookAsync).WaitAsync(s_timeout).ConfigureAwait(false))
            {
                return true;
            }
        }
        catch (TimeoutException)
        {
            return true;
        }

        ThreadClock.Withdraw(Gap);
        return false;
    }

    private static async Task<bool> LookAsync()
    {
        var probe = new RequestProbe();
        var saved = ThreadSegments.Enter(probe);
        try
        {
            var arrivals = probe.Arrivals;
            await Task.Yield();
            if (!HasArrived(probe, arrivals))
            {
                return false;
            }

            // The library's own methods may be suspended differently from ours.
            using var stream = new LookingStream(probe);
            var copying = stream.CopyToAsync(stream);
            stream.Deliver();
            await copying.ConfigureAwait(false);
            return stream.HasSeen;
        }
        finally
        {
            ThreadSegments.Exit(probe, saved);
        }
    }

    private static bool HasArrived(RequestProbe probe, int arrivalsBefore) =>
        probe.Arrivals > arrivalsBefore && ThreadSlots.Mine?.Probe == probe;

    /// <summary>
    /// Delivers one byte after the copying code has suspended, from a thread outside its context. The copying code writes once it
    /// continues.
    /// </summary>
    private sealed class LookingStream(RequestProbe probe) : MemoryStream
    {
        private readonly TaskCompletionSource<int> _byte = new();
        private bool _isAtEnd;
        private int _arrivals;

        public bool HasSeen { get; private set; }

        public void Deliver()
        {
            _arrivals = probe.Arrivals;
            ThreadPool.UnsafeQueueUserWorkItem(static delivered => delivered.SetResult(1), _byte, preferLocal: false);
        }

        public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
        {
            var isAtEnd = _isAtEnd;
            _isAtEnd = true;
            return isAtEnd ? new(0) : new(_byte.Task);
        }

        public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
        {
            HasSeen = HasArrived(probe, _arrivals);
            return default;
        }
    }
}
