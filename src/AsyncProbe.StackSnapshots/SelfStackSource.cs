using AsyncProbe.Common;
using AsyncProbe.StackSnapshots.Methods;
using AsyncProbe.StackSnapshots.Trace;
using Microsoft.Extensions.Options;

namespace AsyncProbe.StackSnapshots;

/// <summary>
/// Takes stacks through an EventPipe session of the process with itself: the runtime's sample profiler, for a moment. The addresses it
/// gives are named from a list of all methods, which is read only when an address is new.
/// </summary>
internal sealed class SelfStackSource(IOptions<StackSnapshotOptions> options, CallStacks stacks) : IStackSource
{
    // Native AOT has the socket, and answers; but it samples no threads and lists no methods, so a snapshot would find nothing for ever.
    private const string NoMethods = "the stacks of this program do not name methods, as with Native AOT.";

    private readonly StackSnapshotOptions _options = options.Value;
    private readonly CodeAddresses _code = new();

    public TimeSpan Interval => _options.Interval;

    public string? NotAvailable { get; } =
        (stacks.NameMethods ? DiagnosticsSocket.WhyNot() : NoMethods) is { } why ? "stack snapshots: " + why : null;

    // Elsewhere nobody tells a thread that waits from one that wants a core, and so short a stay would be blamed.
    public bool HasWindows => OperatingSystem.IsLinux() && _options.SampleUnexplained;

    /// <summary>Bytes that the last snapshot had to read.</summary>
    public long LastBytes { get; private set; }

    public IReadOnlyList<StackSample> Sample(Func<IReadOnlySet<int>> begin, Action end) =>
        Run(() =>
        {
            var counts = new StackCounts(begin, end);
            LastBytes = SelfSession.Sample(_options.Duration, counts);
            if (counts.IsEmpty)
            {
                // On a crowded machine the sampler may not have come to run.
                LastBytes += SelfSession.Sample(_options.Duration * 20, counts);
            }

            return counts.MostSeen().Select(thread => (thread.OsThreadId, Time: 0L, thread.Addresses));
        });

    public IReadOnlyList<StackSample> SampleWindow(Func<IReadOnlySet<int>> begin, Action watch, Func<int, long, bool> isWanted) =>
        Run(() =>
        {
            var stacks = new WindowStacks(begin);
            LastBytes = SelfSession.SampleWindow(watch, stacks);
            return stacks.Where(isWanted);
        });

    private List<StackSample> Run(Func<IEnumerable<(int OsThreadId, long Time, ulong[] Addresses)>> take)
    {
        var taken = take().ToList();
        var frames = _code.Find([.. taken.SelectMany(t => t.Addresses)]);
        LastBytes += _code.LastBytes;
        return
        [
            .. taken.Select(t => new StackSample
            {
                OsThreadId = t.OsThreadId,
                Timestamp = t.Time,
                Frames = [.. t.Addresses.Select(a => frames.GetValueOrDefault(a).Frame).OfType<SampledFrame>()],
                Innermost = t.Addresses is not [var innermost, ..] ? InnermostFrame.Unknown
                    : frames.TryGetValue(innermost, out var code) ? code.Innermost
                    : InnermostFrame.Unknown,
            }),
        ];
    }
}
