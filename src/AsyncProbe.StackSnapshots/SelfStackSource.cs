using AsyncProbe.Blocking.Stacks;
using AsyncProbe.StackSnapshots.Methods;
using AsyncProbe.StackSnapshots.Runtimes;
using AsyncProbe.StackSnapshots.Trace;
using Microsoft.Extensions.Options;

namespace AsyncProbe.StackSnapshots;

/// <summary>
/// Takes stacks through a short EventPipe session of the process with itself, which uses the runtime's sample profiler. The methods come
/// from a list of all methods, which is read only when an address is new.
/// </summary>
internal sealed class SelfStackSource(IOptions<StackSnapshotOptions> options, CallStacks stacks) : IStackSource
{
    // Native AOT has the socket and answers, but it doesn't sample threads or list methods. A snapshot would never find anything.
    private const string NoMethods = "the stacks of this program do not name methods, as with Native AOT.";

    private readonly StackSnapshotOptions _options = options.Value;
    private readonly CodeAddresses _code = new();

    public TimeSpan Interval => _options.Interval;

    public string? NotAvailable { get; } =
        (stacks.NameMethods ? DiagnosticsSocket.WhyNot() : NoMethods) is { } why ? "stack snapshots: " + why : null;

    // Other systems don't report whether a thread waits or wants a core, so a thread that wants a core would be reported as blocked.
    public bool HasWindows => OperatingSystem.IsLinux() && _options.SampleUnexplained;

    /// <summary>The number of bytes that the last snapshot read.</summary>
    public long LastBytes { get; private set; }

    public IReadOnlyList<StackSample> Sample(Func<IReadOnlySet<int>> begin, Action end) =>
        Run(() =>
        {
            var counts = new StackCounts(begin, end);
            LastBytes = SelfSession.Sample(_options.Duration, counts);
            if (counts.IsEmpty)
            {
                // On a crowded machine, the sampler may not have run yet.
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
