using AsyncProbe.StackSnapshots.Methods;
using AsyncProbe.StackSnapshots.Trace;
using Microsoft.Diagnostics.NETCore.Client;
using Microsoft.Extensions.Options;

namespace AsyncProbe.StackSnapshots;

/// <summary>
/// Takes stacks through an EventPipe session of the process with itself: the runtime's sample profiler, for a moment. The addresses it
/// gives are named from a list of all methods, which is read only when an address is new.
/// </summary>
internal sealed class SelfStackSource(IOptions<StackSnapshotOptions> options) : IStackSource
{
    private readonly StackSnapshotOptions _options = options.Value;
    private readonly CodeAddresses _code = new();

    public TimeSpan Interval => _options.Interval;

    public string? NotAvailable { get; } = DiagnosticsSocket.WhyNot() is { } why ? "stack snapshots: " + why : null;

    /// <summary>Bytes that the last snapshot had to read.</summary>
    public long LastBytes { get; private set; }

    public IReadOnlyList<StackSample> Sample(Func<IReadOnlySet<int>> begin, Action end)
    {
        try
        {
            var counts = new StackCounts(begin, end);
            LastBytes = SelfSession.Sample(_options.Duration, counts);
            if (counts.IsEmpty)
            {
                // On a crowded machine the sampler may not have come to run.
                LastBytes += SelfSession.Sample(_options.Duration * 20, counts);
            }

            var threads = counts.MostSeen().ToList();
            var frames = _code.Find([.. threads.SelectMany(t => t.Addresses)]);
            LastBytes += _code.LastBytes;
            return [.. threads.Select(t => new StackSample { OsThreadId = t.OsThreadId, Frames = [.. t.Addresses.Select(a => frames.GetValueOrDefault(a)).OfType<SampledFrame>()] })];
        }
        catch (ServerNotAvailableException e)
        {
            // It was there at the start: a cleaner of temporary files may have taken it.
            throw new IOException(DiagnosticsSocket.WhyNot() ?? e.Message, e);
        }
    }
}
