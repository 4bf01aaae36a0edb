using System.Diagnostics;
using AsyncProbe.Tests;

namespace AsyncProbe.Integration.Tests.Blocking.Hook;

/// <summary>
/// A wait under the hook keeps its place in the queue and gets every pulse, however long it lasts. The hook used to restart a wait after
/// a second; the table in docs/blocking.md shows what these tests then found for each kind of handle.
/// </summary>
public sealed class QueueOrderTests
{
    private static readonly TimeSpan s_pastASecond = TimeSpan.FromMilliseconds(1300);

    public static TheoryData<string> Fair() => [.. s_fair.Keys];

    private static readonly Dictionary<string, Func<Turns>> s_fair = new()
    {
        ["lock"] = () =>
        {
            var gate = new object();
            Monitor.Enter(gate);
            return new Turns(() => Monitor.Enter(gate), Leave: () => Monitor.Exit(gate), Give: () => Monitor.Exit(gate));
        },
        ["Mutex"] = () =>
        {
            var mutex = new Mutex(initiallyOwned: true);
            return new Turns(() => mutex.WaitOne(), Leave: mutex.ReleaseMutex, Give: mutex.ReleaseMutex);
        },
        ["Semaphore"] = () =>
        {
            var semaphore = new Semaphore(0, 10);
            return new Turns(() => semaphore.WaitOne(), Leave: () => semaphore.Release(), Give: () => semaphore.Release());
        },
        ["WaitHandle.WaitAny"] = () =>
        {
            var signal = new AutoResetEvent(false);
            var never = new ManualResetEvent(false);
            return new Turns(() => WaitHandle.WaitAny([never, signal]), Leave: () => signal.Set(), Give: () => signal.Set());
        },
    };

    [Theory]
    [MemberData(nameof(Fair))]
    public void LongestWaiter_IsServedFirst_ThoughTheHookWatchesIt(string kind)
    {
        var turns = s_fair[kind]();
        var order = new List<string>();
        var hooked = Start("hooked", isHooked: true);
        Thread.Sleep(300);
        var plain = Start("plain", isHooked: false);

        // A second after the hooked thread began, and less than a second after the other one did.
        Thread.Sleep(s_pastASecond - TimeSpan.FromMilliseconds(300));
        turns.Give();

        hooked.Join(ProbedApp.Timeout).ShouldBeTrue();
        plain.Join(ProbedApp.Timeout).ShouldBeTrue();
        Console.WriteLine($"{kind}: {string.Join(", ", order)}");
        order.ShouldBe(["hooked", "plain"]);

        Thread Start(string name, bool isHooked)
        {
            var thread = new Thread(() => LongWaiter.Under(isHooked, () =>
            {
                turns.Take();
                order.Add(name);
                turns.Leave();
            }))
            { IsBackground = true };
            thread.Start();
            AwaitItsWait(thread);
            return thread;
        }
    }

    // Each waiter starts at a slightly different time, so the pulse comes just before or after the second at which waits used to restart.
    [Fact]
    public void Pulse_IsHeard_WheneverItComes()
    {
        const int Waiters = 40;
        using var pulse = new ManualResetEvent(false);
        var (waiting, heard) = (0, 0);
        var clock = Stopwatch.StartNew();
        var waiters = Enumerable.Range(0, Waiters).Select(_ =>
        {
            var thread = new Thread(() => LongWaiter.Under(isHooked: true, () =>
            {
                Interlocked.Increment(ref waiting);
                if (pulse.WaitOne(ProbedApp.Timeout))
                {
                    Interlocked.Increment(ref heard);
                }
            }))
            { IsBackground = true };
            thread.Start();
            Thread.Sleep(1);
            return thread;
        }).ToList();

        // On a crowded machine some threads start late, and a pulse before its wait is heard by none.
        Eventually.Spin(() => Volatile.Read(ref waiting) == Waiters);
        waiters.ForEach(AwaitItsWait);

        // Halfway between the first and the last of the forty waits reaching a second.
        Thread.Sleep(TimeSpan.FromMilliseconds(Math.Max(0, 1000 + (Waiters / 2) - clock.ElapsedMilliseconds)));
        pulse.Set();
        pulse.Reset();

        waiters.ForEach(waiter => waiter.Join(ProbedApp.Timeout).ShouldBeTrue());
        heard.ShouldBe(Waiters);
    }

    private static void AwaitItsWait(Thread thread) =>
        Eventually.Spin(() => thread.ThreadState.HasFlag(System.Threading.ThreadState.WaitSleepJoin));

    private sealed record Turns(Action Take, Action Leave, Action Give);
}
