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

    public IReadOnlyList<StackSample> Sample(Func<IReadOnlySet<int>> begin, Action end)
    {
        var counts = new StackCounts(begin, end);
        SelfSession.Sample(() => Thread.Sleep(_options.Duration), counts);
        if (counts.IsEmpty)
        {
            // On a crowded machine, the runtime may begin to sample only after that.
            SelfSession.Sample(() => Thread.Sleep(_options.Duration * 20), counts);
        }

        return Name([.. counts.MostSeen()]);
    }

    public IReadOnlyList<StackSample> SampleWindow(Func<IReadOnlySet<int>> begin, Action watch, Func<int, long, bool> isWanted)
    {
        var stacks = new WindowStacks(begin);
        SelfSession.Sample(watch, stacks);
        return Name([.. stacks.Where(isWanted)]);
    }

    private List<StackSample> Name(List<(int OsThreadId, long Time, ulong[] Addresses)> taken)
    {
        var frames = _code.Find([.. taken.SelectMany(t => t.Addresses)]);
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
