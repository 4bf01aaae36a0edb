using System.Net;
using System.Text.Json;
using Microsoft.AspNetCore.Builder;
using Microsoft.Extensions.DependencyInjection;

namespace AsyncProbe.Tests.Blocking.Sampling;

/// <summary>Any code can be a stack source: the snapshot's thread, the start and the report must survive whatever it throws.</summary>
public sealed class SnapshotFaultsTests
{
    [Fact]
    public async Task Snapshot_SaysWhyItFailedAndIsCounted_AndTheNextIsTaken()
    {
        var (failures, answers) = (0, 0);
        var source = new Source
        {
            Sampling = () =>
            {
                Interlocked.Increment(ref failures);
                throw new UnreadableException();
            },
        };
        using var end = new ManualResetEventSlim();
        await using var app = await StartAsync(source, end);
        var held = app.GetAsync("/held");
        await Eventually.TrueAsync(async () => (await app.ReportAsync()).GetProperty("now").GetArrayLength() > 0, "nothing is held");

        var (status, error) = await PostAsync(app);

        status.ShouldBe(HttpStatusCode.ServiceUnavailable);
        error.ShouldBe("stack snapshots: UnreadableException");
        var probe = (await app.ReportAsync()).GetProperty("probe");

        // On a slow machine AsyncProbe also takes snapshots itself: of the request before its wait begins, and of threads without a
        // request while work items wait; and again a second after one that found nothing. Only snapshots that were taken count.
        var failed = probe.GetProperty("snapshots").Count("failed");
        failed.ShouldBeInRange(1, Volatile.Read(ref failures));
        probe.Count("faults").ShouldBeGreaterThanOrEqualTo(failed);
        app.Log.All.Count(l => l.Id.Id == 17).ShouldBe(1);

        source.Sampling = () =>
        {
            Interlocked.Increment(ref answers);
            return [];
        };
        (await PostAsync(app)).Status.ShouldBe(HttpStatusCode.OK);
        var taken = (await app.ReportAsync()).GetProperty("probe").GetProperty("snapshots").Count("taken");
        taken.ShouldBeInRange(1, Volatile.Read(ref answers));
        end.Set();
        (await held).Dispose();
    }

    [Fact]
    public async Task Host_StartsAndReports_WhenTheSourceCannotEvenTellWhatItIs()
    {
        var source = new Source { Property = () => throw new InvalidOperationException("a source") };
        using var end = new ManualResetEventSlim(initialState: true);
        await using var app = await StartAsync(source, end);

        (await app.TextAsync("/held")).ShouldBe("held");

        var probe = (await app.ReportAsync()).GetProperty("probe");
        probe.Count("faults").ShouldBeGreaterThan(0);
        probe.GetProperty("notAvailable").EnumerateArray().Select(n => n.GetString())
            .ShouldContain(n => n!.StartsWith("stack snapshots: "));
        (await PostAsync(app)).Status.ShouldBe(HttpStatusCode.ServiceUnavailable);
    }

    [Fact]
    public async Task Miss_DoesNotUseUpTheInterval()
    {
        // An hour, but a snapshot that finds nothing is followed by another one a second later.
        var source = new Source { Sampling = () => [] };
        using var end = new ManualResetEventSlim();
        await using var app = await StartAsync(source, end, detection: "Off");
        var held = app.GetAsync("/held");

        await Eventually.TrueAsync(
            async () => (await app.ReportAsync()).GetProperty("probe").GetProperty("snapshots").Count("taken") >= 2, "nobody looked again");

        end.Set();
        (await held).Dispose();
    }

    private static Task<ProbedApp> StartAsync(Source source, ManualResetEventSlim end, string? detection = null) =>
        ProbedApp.StartAsync(
            a => a.MapGet("/held", () =>
            {
                end.Wait(ProbedApp.Timeout);
                return "held";
            }),
            configure: b =>
            {
                b.Configuration["AsyncProbe:Detection"] = detection;
                b.Services.AddSingleton<IStackSource>(source);
            });

    private static async Task<(HttpStatusCode Status, string? Error)> PostAsync(ProbedApp app)
    {
        HttpStatusCode status = default;
        string? error = null;
        await Eventually.TrueAsync(
            async () =>
            {
                using var response = await app.Client.PostAsync(new Uri("/_threadpool/snapshot", UriKind.Relative), null);
                status = response.StatusCode;
                error = JsonDocument.Parse(await response.Content.ReadAsStringAsync()).RootElement.GetProperty("error").GetString();
                return status is not (HttpStatusCode.TooManyRequests or HttpStatusCode.Conflict);
            },
            () => $"{status} {error}");
        return (status, error);
    }

    private sealed class Source : IStackSource
    {
        public Func<IReadOnlyList<StackSample>> Sampling { get; set; } = () => [];

        public Func<string?> Property { get; init; } = () => null;

        // Only the test takes snapshots.
        public TimeSpan Interval => Property() is null ? TimeSpan.FromHours(1) : TimeSpan.Zero;

        public string? NotAvailable => Property();

        public IReadOnlyList<StackSample> Sample(Func<IReadOnlySet<int>> begin, Action end)
        {
            begin();
            end();
            return Sampling();
        }
    }

    private sealed class UnreadableException : Exception
    {
        public override string Message => throw new InvalidOperationException("a message that cannot be read");
    }
}
