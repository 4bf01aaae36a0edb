using System.Reflection;
using System.Text.Json;
using Microsoft.AspNetCore.Builder;
using Microsoft.Extensions.DependencyInjection;

namespace AsyncProbe.Tests.Blocking.Sampling;

public sealed class SnapshotAllowanceTests
{
    private static readonly MethodBase s_wait = typeof(ManualResetEventSlim).GetMethod(
        nameof(ManualResetEventSlim.Wait), [typeof(TimeSpan)])!;

    private static readonly MethodBase s_call = typeof(SnapshotAllowanceTests).GetMethod(
        nameof(CallTheOldHost), BindingFlags.NonPublic | BindingFlags.Static)!;

    /// <summary>Ending a session and resolving the names takes longer than most waits.</summary>
    [Fact]
    public async Task Wait_IsAllowed_AsItsScopeSaid_WhenTheScopeIsLeftBeforeTheStackIsRead()
    {
        using var source = new Source();

        var site = await OnlySiteAsync(source, () =>
        {
            using (BlockingScope.Allow("an old host"))
            {
                CallTheOldHost(source.End);
            }

            source.IsLeft.Set();
        });

        site.GetProperty("at").GetString().ShouldBe("SnapshotAllowanceTests.CallTheOldHost");
        site.GetProperty("allowed").GetString().ShouldBe("an old host");
    }

    /// <summary>A scope that an asynchronous method opens isn't the current one for its caller, who ends it.</summary>
    [Fact]
    public async Task Wait_IsNotAllowed_WhenItsScopeEndedWhereItWasNotCurrent()
    {
        using var source = new Source();

        var site = await OnlySiteAsync(source, () =>
        {
            OpenAsync().Result.Dispose();
            CallTheOldHost(source.End);
            source.IsLeft.Set();
        });

        site.GetProperty("at").GetString().ShouldBe("SnapshotAllowanceTests.CallTheOldHost");
        site.GetProperty("allowed").ValueKind.ShouldBe(JsonValueKind.Null);

        static async Task<BlockingScope> OpenAsync()
        {
            await Task.CompletedTask;
            return BlockingScope.Allow("an old host");
        }
    }

    private static async Task<JsonElement> OnlySiteAsync(Source source, Action handler)
    {
        await using var app = await ProbedApp.StartAsync(
            a => a.MapGet("/legacy", handler),
            configure: b =>
            {
                b.Configuration["AsyncProbe:Detection"] = "Off";
                b.Services.AddSingleton<IStackSource>(source);
            });
        var held = app.GetAsync("/legacy");

        JsonElement[] sites = [];
        await Eventually.TrueAsync(
            async () =>
            {
                using var _ = await app.Client.PostAsync(new Uri("/_threadpool/snapshot", UriKind.Relative), null);
                return (sites = await app.SitesAsync()).Length > 0;
            },
            "no snapshot found the wait");

        (await held).Dispose();
        return sites.ShouldHaveSingleItem();
    }

    private static void CallTheOldHost(ManualResetEventSlim end) => end.Wait(ProbedApp.Timeout);

    /// <summary>Returns its stack once the wait is over.</summary>
    private sealed class Source : IStackSource, IDisposable
    {
        public ManualResetEventSlim End { get; } = new();

        public ManualResetEventSlim IsLeft { get; } = new();

        public TimeSpan Interval => TimeSpan.FromHours(1);

        public string? NotAvailable => null;

        public IReadOnlyList<StackSample> Sample(Func<IReadOnlySet<int>> begin, Action end)
        {
            var threads = begin();
            end();
            if (threads.Count == 0)
            {
                return [];
            }

            End.Set();
            IsLeft.Wait(ProbedApp.Timeout);
            return [.. threads.Select(id => new StackSample { OsThreadId = id, Frames = [Frame(s_wait), Frame(s_call)] })];
        }

        public void Dispose()
        {
            End.Dispose();
            IsLeft.Dispose();
        }

        private static SampledFrame Frame(MethodBase method) => new() { Method = method };
    }
}
