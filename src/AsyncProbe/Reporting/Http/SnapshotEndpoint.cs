using System.Globalization;
using AsyncProbe.Blocking.Kinds;
using AsyncProbe.Blocking.Sampling;
using AsyncProbe.Common;
using AsyncProbe.Reporting.Json;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;

namespace AsyncProbe.Reporting.Http;

/// <summary>Takes a stack snapshot on demand, and answers with the waits it found or with the reason why it took none.</summary>
internal sealed class SnapshotEndpoint(Snapshots snapshots, IHostEnvironment environment, IOptions<AsyncProbeOptions> options)
{
    private readonly bool _isAllowed = environment.IsDevelopment() || options.Value.AllowSnapshotRequests;

    public async Task AnswerAsync(HttpContext context)
    {
        var (status, report) = await TakeAsync().ConfigureAwait(false);
        if (status == StatusCodes.Status429TooManyRequests)
        {
            context.Response.Headers.RetryAfter = Math.Ceiling(Math.Max(1, snapshots.PauseLeft.TotalSeconds))
                .ToString(CultureInfo.InvariantCulture);
        }

        var json = ReportJson.ToArray(report, static json => json.SnapshotReport);
        context.Response.StatusCode = status;
        context.Response.ContentType = "application/json; charset=utf-8";
        context.Response.ContentLength = json.Length;
        await context.Response.Body.WriteAsync(json, context.RequestAborted).ConfigureAwait(false);
    }

    private async Task<(int Status, SnapshotReport Report)> TakeAsync()
    {
        if (!snapshots.HasSource)
        {
            return Refuse(StatusCodes.Status503ServiceUnavailable,
                "No stack source is there. Add the package AsyncProbe.StackSnapshots and call "
                    + "services.AddAsyncProbe().AddStackSnapshots().");
        }

        if (!_isAllowed)
        {
            return Refuse(StatusCodes.Status503ServiceUnavailable,
                "Snapshots on demand are off outside Development. Set AsyncProbe:AllowSnapshotRequests to true.");
        }

        if (snapshots.IsUnsupported && snapshots.NotAvailable is { } reason)
        {
            return Refuse(StatusCodes.Status503ServiceUnavailable, reason);
        }

        if (snapshots.PauseLeft > Duration.Zero)
        {
            return Refuse(StatusCodes.Status429TooManyRequests, "The last snapshot is less than a second old. Ask again in a second.");
        }

        if (snapshots.TakeAsync() is not { } taking)
        {
            return Refuse(
                StatusCodes.Status409Conflict,
                "No snapshot could be started, most likely because stacks are already being sampled. Ask again in a second.");
        }

        var answer = await taking.ConfigureAwait(false);
        return answer.Snapshot is { } taken
            ? (StatusCodes.Status200OK, Describe(taken))
            : Refuse(StatusCodes.Status503ServiceUnavailable, answer.Reason ?? "No snapshot was taken.");
    }

    private static (int Status, SnapshotReport Report) Refuse(int status, string error) =>
        (status, new SnapshotReport(null, null, [], error));

    private static SnapshotReport Describe(Snapshot taken) =>
        new(taken.At, taken.Took.ToMilliseconds(), [.. taken.Waits.Select(Describe)], null);

    private static SampledReport Describe(SnapshotWait wait)
    {
        var at = wait.Live.At;
        return new SampledReport(
            wait.Endpoint,
            wait.Live.Kind.Name(),
            at.Frame.ShortName,
            at.Line?.File,
            at.Line?.Line,
            wait.Held.ToMilliseconds(),
            wait.Blocked.ToMilliseconds());
    }
}
