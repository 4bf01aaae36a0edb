using System.Reflection;
using AsyncProbe.Requests;
using Microsoft.AspNetCore.Builder;
using Microsoft.Extensions.DependencyInjection;

namespace AsyncProbe.Tests.Blocking.Sampling;

/// <summary>Two snapshots that see one wait. Reading the second one's stacks takes longer than the wait.</summary>
public sealed class TwoSnapshotsTests
{
    private static readonly MethodBase s_wait = typeof(ManualResetEventSlim).GetMethod(nameof(ManualResetEventSlim.Wait), [typeof(TimeSpan)])!;
    private static readonly MethodBase s_call = typeof(TwoSnapshotsTests).GetMethod(
        nameof(AwaitTheEnd), BindingFlags.NonPublic | BindingFlags.Static)!;

    [Fact]
    public async Task Wait_IsCountedOnce()
    {
        using var source = new Source();
        await using var app = await ProbedApp.StartAsync(
            a => a.MapGet("/held", () =>
            {
                source.Thread = ThreadSlots.Mine!.OsThreadId;
                AwaitTheEnd(source.End);
            }),
            configure: b =>
            {
                b.Configuration["AsyncProbe:Detection"] = "Off";
                b.Services.AddSingleton<IStackSource>(source);
            });
        var held = app.GetAsync("/held");
        source.Answer = held;

        await Eventually.TrueAsync(
            async () =>
            {
                using var _ = await app.Client.PostAsync(new Uri("/_threadpool/snapshot", UriKind.Relative), null);
                return source.Taken == 2;
            },
            () => $"{source.Taken} snapshots found the wait");

        (await held).Dispose();
        var site = (await app.SitesAsync("GET /held")).ShouldHaveSingleItem();
        var blocked = (await app.EndpointAsync("GET /held")).Ms("blockedMs");
        site.Ms("blockedMs", "total").ShouldBeInRange(0.5 * blocked, blocked);
    }

    private static void AwaitTheEnd(ManualResetEventSlim end) => end.Wait(ProbedApp.Timeout);

    /// <summary>Returns the stack of the second snapshot once the request has been answered.</summary>
    private sealed class Source : IStackSource, IDisposable
    {
        private int _taken;

        public ManualResetEventSlim End { get; } = new();

        public Task Answer { get; set; } = Task.CompletedTask;

        /// <summary>The thread that waits. Other tests of this process block others.</summary>
        public int Thread { get; set; }

        public int Taken => Volatile.Read(ref _taken);

        public TimeSpan Interval => TimeSpan.FromHours(1);

        public string? NotAvailable => null;

        public IReadOnlyList<StackSample> Sample(Func<IReadOnlySet<int>> begin, Action end)
        {
            var threads = begin();
            end();
            if (!threads.Contains(Thread))
            {
                return [];
            }

            if (Interlocked.Increment(ref _taken) == 2)
            {
                End.Set();
                Answer.Wait(ProbedApp.Timeout);
            }

            return [new() { OsThreadId = Thread, Frames = [Frame(s_wait), Frame(s_call)] }];
        }

        public void Dispose() => End.Dispose();

        private static SampledFrame Frame(MethodBase method) => new() { Method = method };
    }
}
