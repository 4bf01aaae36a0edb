using System.Reflection;
using AsyncProbe.Blocking.Kinds;
using AsyncProbe.Blocking.Methods;
using AsyncProbe.Blocking.Sampling;
using AsyncProbe.Blocking.Sites;
using AsyncProbe.Common;
using AsyncProbe.Pool.Sampling;
using Microsoft.Extensions.Logging.Abstractions;

namespace AsyncProbe.Tests.Blocking.Sampling;

public sealed class UnclaimedSnapshotsTests
{
    private static readonly MethodBase s_sleep = typeof(Thread).GetMethod(nameof(Thread.Sleep), [typeof(int)])!;
    private static readonly MethodBase s_feed = typeof(UnclaimedSnapshotsTests).GetMethod(
        nameof(OnTimer), BindingFlags.NonPublic | BindingFlags.Static)!;
    private static readonly MethodBase s_dispatch =
        typeof(Thread).Assembly.GetType("System.Threading.ThreadPoolWorkQueue")!.GetMethod(
            "Dispatch", BindingFlags.NonPublic | BindingFlags.Static)!;

    private readonly UnclaimedSites _sites = new();
    private readonly Faults _faults = new(NullLogger<Faults>.Instance);
    private readonly SnapshotOutcomes _outcomes;

    public UnclaimedSnapshotsTests() => _outcomes = new(_faults, NullLogger<Snapshots>.Instance);

    [Fact]
    public async Task Threads_ThatStarveThePool_AreNamedByTheirPlace_AndIdleOnesAreNot()
    {
        var watched = Create(out var source);
        for (var i = 0; i < 3; i++)
        {
            watched.OnTick(Sample(unclaimed: 9), LiveSegments.None);
        }

        await Eventually.TrueAsync(() => _sites.Read().Count > 0, () => $"nothing was found in {source.Taken} snapshots");
        var site = _sites.Read().ShouldHaveSingleItem();
        site.At.Frame.ShortName.ShouldBe("UnclaimedSnapshotsTests.OnTimer");
        site.Kind.ShouldBe(WaitKind.Sleep);
        site.Threads.ShouldBe(2);
        await Eventually.TrueAsync(() => _outcomes.Taken == 1, () => $"{_outcomes.Taken} are counted");
        _outcomes.Last.ShouldNotBeNull();
    }

    [Fact]
    public async Task Failure_IsCounted_AndItsReasonIsKept()
    {
        var watched = Create(out var source);
        source.Error = "no stacks today";
        for (var i = 0; i < 3; i++)
        {
            watched.OnTick(Sample(unclaimed: 9), LiveSegments.None);
        }

        await Eventually.TrueAsync(() => _outcomes.Failed == 1, () => $"{_outcomes.Failed} failures are counted");
        _outcomes.Failure.ShouldBe("stack snapshots: no stacks today");
        _outcomes.Taken.ShouldBe(0);
    }

    [Theory]
    [InlineData(9, 10)]
    [InlineData(5, 1000)]
    public void NothingIsTaken_WhileNothingWaits_OrMostThreadsAreClaimed(int unclaimed, int delayMs)
    {
        var watched = Create(out var source);
        for (var i = 0; i < 10; i++)
        {
            watched.OnTick(Sample(unclaimed, delayMs), LiveSegments.None);
        }

        source.Taken.ShouldBe(0);
    }

    private static void OnTimer() => Thread.Sleep(1);

    private static PoolSample Sample(int unclaimed, int delayMs = 1000) =>
        new(DateTime.UtcNow, 10, 50, 1000, 10, Duration.FromMilliseconds(delayMs), Duration.FromMilliseconds(delayMs))
        {
            Unclaimed = unclaimed,
        };

    private UnclaimedSnapshots Create(out Source source)
    {
        source = new Source();
        var options = Microsoft.Extensions.Options.Options.Create(new AsyncProbeOptions());
        var guarded = new GuardedSource([source], options, _faults);
        return new UnclaimedSnapshots(
            guarded, new StackSampler(guarded, _outcomes), new Frames(UserCode.Create([])), _sites, _outcomes, options);
    }

    private sealed class Source : IStackSource
    {
        private int _taken;

        public int Taken => Volatile.Read(ref _taken);

        /// <summary>The error that it throws; null if it returns stacks.</summary>
        public string? Error { get; set; }

        public TimeSpan Interval => TimeSpan.FromHours(1);

        public string? NotAvailable => null;

        public IReadOnlyList<StackSample> Sample(Func<IReadOnlySet<int>> begin, Action end)
        {
            Interlocked.Increment(ref _taken);
            if (Error is not null)
            {
                throw new IOException(Error);
            }

            begin().ShouldNotBeNull();
            end();
            return [Stack(-1, s_sleep, s_feed, s_dispatch), Stack(-2, s_sleep, s_feed, s_dispatch), Stack(-3, s_sleep)];
        }

        private static StackSample Stack(int id, params MethodBase[] methods) =>
            new() { OsThreadId = id, Frames = [.. methods.Select(m => new SampledFrame { Method = m })] };
    }
}
