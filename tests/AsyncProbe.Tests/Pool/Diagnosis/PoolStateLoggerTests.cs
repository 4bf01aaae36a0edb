using AsyncProbe.Common;
using AsyncProbe.Pool.Diagnosis;
using AsyncProbe.Pool.Sampling;

namespace AsyncProbe.Tests.Pool.Diagnosis;

[Trait("Category", ApprovedTexts.Category)]
public sealed class PoolStateLoggerTests
{
    private static readonly DateTime s_began = new(2026, 1, 1, 0, 0, 0, DateTimeKind.Utc);

    // It once said "a work item waits 0.1 ms for a pool thread": the delay at that moment, and not worth logging.
    [Fact]
    public void Story_SaysHowLongItemsStillWaited_WhenAStarvationEndsInQueueing()
    {
        var log = new LogLines();
        var story = new PoolStateLogger(log, () => false);
        var (healthy, starved) = (new PoolVerdict(PoolCondition.Healthy, s_began, Diagnosis: null), StarvedVerdict(Starved(0), site: null));
        story.OnChange(starved, healthy, Starved(0), calmQueueDelay: Duration.Zero);

        var sample = Starved(40) with { QueueDelay = Duration.FromMicroseconds(100) };
        story.OnChange(
            new PoolVerdict(PoolCondition.Queueing, sample.At, Diagnosis: null), starved, sample,
            calmQueueDelay: 80 * Duration.Millisecond);

        log.All.Last().Text.ShouldMatch(" after 4 s, .* 80 ms ");
        var texts = new ApprovedTexts("AsyncProbe.Tests/Pool/Diagnosis/PoolLogQueueing");
        texts.Add("starvation ends, but items still wait", log.All.Last().Text);
        texts.ShouldBeApproved();
    }

    // It once said "healthy again after 1011 ms of being queueing" after fourteen seconds, of which thirteen were starved.
    [Fact]
    public void Story_EndsWithTheWholeEpisode_AndHowMuchOfItWasStarved()
    {
        var log = new LogLines();
        var story = new PoolStateLogger(log, () => false);
        var verdict = new PoolVerdict(PoolCondition.Healthy, s_began, Diagnosis: null);

        Change(0, PoolCondition.Queueing, delayMs: 60);
        Change(4, PoolCondition.Starved, delayMs: 600);
        Change(50, PoolCondition.Queueing, delayMs: 4131);
        Change(60, PoolCondition.Starved, delayMs: 700);
        Change(145, PoolCondition.Healthy, delayMs: 0);
        log.All.Last().Text.ShouldMatch(@"after 14\.5 s \(13\.1 s starved\).* 4\.13 s; 20 threads");

        // A new episode has its own figures.
        Change(300, PoolCondition.Queueing, delayMs: 60);
        Change(310, PoolCondition.Healthy, delayMs: 0);
        log.All.Last().Text.ShouldMatch(@"after 1 s \(0 s starved\).* 0\.06 s; 20 threads");
        var texts = new ApprovedTexts("AsyncProbe.Tests/Pool/Diagnosis/PoolLog");
        texts.Add("two episodes", string.Join('\n', log.All.Select(line => line.Text)));
        texts.ShouldBeApproved();

        void Change(int tick, PoolCondition condition, int delayMs)
        {
            var sample = Starved(tick) with { QueueDelay = delayMs * Duration.Millisecond };
            var next = new PoolVerdict(condition, sample.At, Diagnosis: null);
            story.OnChange(next, verdict, sample, calmQueueDelay: Duration.Zero);
            verdict = next;
        }
    }

    [Theory]
    [InlineData(0)]
    [InlineData(-1)]
    [InlineData(1)]
    public void Story_IsToldAgain_TenSecondsAfterItWasTold_AndAtOnceWhenMoreIsKnown(int hoursTheClockIsSet)
    {
        var log = new LogLines();
        var story = new PoolStateLogger(log, () => false);
        var told = new List<(double Seconds, int Lines)>();
        for (var tick = 0; tick <= 250; tick++)
        {
            var sample = Starved(tick);
            sample = tick < 50 ? sample : sample with { At = sample.At.AddHours(hoursTheClockIsSet) };
            var site = tick < 30 ? null : "Program.Work (Program.cs:17)";
            var verdict = StarvedVerdict(sample, site);
            if (tick == 0)
            {
                story.OnChange(
                    verdict, new PoolVerdict(PoolCondition.Queueing, s_began, Diagnosis: null), sample, calmQueueDelay: Duration.Zero);
            }
            else
            {
                story.OnTick(verdict, sample);
            }

            if (log.All.Count() > told.Count)
            {
                told.Add((tick / 10.0, log.All.Count()));
            }
        }

        told.ShouldBe([(0, 1), (3, 2), (13, 3), (23, 4)]);
    }

    // It once said "starved, cause blocked: queue delay 2.01 ms", when the cause became known while the pool was calming down.
    [Fact]
    public void Story_IsNotToldAgain_AtAMomentWhenNothingWaits()
    {
        var log = new LogLines();
        var story = new PoolStateLogger(log, () => false, leastDelay: 50 * Duration.Millisecond);
        story.OnChange(
            StarvedVerdict(Starved(0), site: null), new PoolVerdict(PoolCondition.Queueing, s_began, Diagnosis: null), Starved(0),
            calmQueueDelay: Duration.Zero);

        var calm = Starved(2) with { QueueDelay = 2 * Duration.Millisecond };
        story.OnTick(StarvedVerdict(calm, "Program.Work (Program.cs:17)"), calm);
        log.All.Count().ShouldBe(1);

        story.OnTick(StarvedVerdict(Starved(3), "Program.Work (Program.cs:17)"), Starved(3));
        log.All.Count().ShouldBe(2);
    }

    [Fact]
    public void Story_EndsWithTheTimeThatPassed_AlthoughTheClockWasSetBack()
    {
        var log = new LogLines();
        var story = new PoolStateLogger(log, () => false);
        var (healthy, starved) = (new PoolVerdict(PoolCondition.Healthy, s_began, Diagnosis: null), StarvedVerdict(Starved(0), site: null));
        story.OnChange(starved, healthy, Starved(0), calmQueueDelay: Duration.Zero);

        story.OnChange(healthy, starved, Starved(40) with { At = s_began.AddHours(-1) }, calmQueueDelay: Duration.Zero);

        log.All.Last().Text.ShouldMatch(@"after 4 s \(4 s starved\)");
    }

    [Fact]
    public void Story_IsNotTold_WhileADebuggerIsAttached()
    {
        var log = new LogLines();
        var isDebugged = true;
        var story = new PoolStateLogger(log, () => isDebugged);
        var (healthy, starved) = (new PoolVerdict(PoolCondition.Healthy, s_began, Diagnosis: null), StarvedVerdict(Starved(0), site: null));

        story.OnChange(starved, healthy, Starved(0), calmQueueDelay: Duration.Zero);
        story.OnTick(starved, Starved(200));
        var atTheBreakpoint = log.All.Count();
        isDebugged = false;
        story.OnTick(starved, Starved(201));

        atTheBreakpoint.ShouldBe(0);
        log.All.Count().ShouldBe(1);
    }

    [Fact]
    public void Story_CarriesItsFiguresAsNumbers()
    {
        var log = new LogLines();
        var sample = Starved(0);

        new PoolStateLogger(log, () => false).OnChange(
            StarvedVerdict(sample, site: null), new PoolVerdict(PoolCondition.Queueing, s_began, Diagnosis: null), sample,
            calmQueueDelay: Duration.Zero);

        log.All.Single().Text.ShouldMatch("cause blocked: .* 600 ms, .* 80, .* 20 of 20");
        var values = log.Values.Single();
        values["QueueDelayMs"].ShouldBe(600.0);
        values["Pending"].ShouldBe(80L);
        values["Busy"].ShouldBe(20);
        values["Threads"].ShouldBe(20);
    }

    private static PoolVerdict StarvedVerdict(PoolSample sample, string? site) =>
        new(PoolCondition.Starved, s_began, new PoolDiagnosis(PoolCause.Blocked, sample, 20, 20, "GET /", 20, site));

    private static PoolSample Starved(int tick) =>
        new(
            s_began.AddMilliseconds(100 * tick), Threads: 20, Pending: 80, Completed: 1, Busy: 20, 600 * Duration.Millisecond,
            600 * Duration.Millisecond)
        {
            TakenAt = Moment.At(100 * tick * Duration.Millisecond),
        };
}
