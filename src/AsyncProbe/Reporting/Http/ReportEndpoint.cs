using System.Globalization;
using AsyncProbe.Common;
using AsyncProbe.Reporting.Access;
using AsyncProbe.Reporting.Json;
using AsyncProbe.Reporting.Metrics;
using AsyncProbe.Reporting.Page;
using AsyncProbe.Reporting.Profile;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace AsyncProbe.Reporting.Http;

/// <summary>Answers the routes of <c>MapAsyncProbe</c>. Every handler checks <see cref="ReportAccess"/> first.</summary>
internal sealed class ReportEndpoint(
    ReportText reports,
    ReportAccess access,
    AllCounts counts,
    PrometheusText prometheus,
    SnapshotEndpoint snapshots,
    LifelineAddress lifeline,
    BlockedStacks stacks,
    IOptions<AsyncProbeOptions> options,
    Faults faults,
    ILogger<ReportEndpoint> logger)
{
    /// <summary>The report's path, unless the application maps it elsewhere.</summary>
    public const string DefaultPath = "/_threadpool";

    // Each page asks once a second, and all of them share one report a second, so twenty pages cost little more than one. A report is kept
    // for less than a second, so that a page hardly ever gets the same one twice.
    private readonly KeptText<int, SharedReport> _brief = new(Duration.FromMilliseconds(900));

    private int _hasHinted;

    public Task Get(HttpContext context)
    {
        if (!Admit(context, HttpMethods.Get))
        {
            return Task.CompletedTask;
        }

        context.Response.Headers.Vary = "Accept, Accept-Encoding";
        if (PageFiles.IsWanted(context.Request.Headers.Accept))
        {
            return PageFiles.WritePage(context, lifeline.Url);
        }

        var query = context.Request.Query;
        return Seconds(query["history"]) is { } seconds && !query.ContainsKey("endpoint")
            ? WriteShared(context, _brief.Get(seconds, () => new SharedReport(reports.MakeCopy(seconds)))).AsTask()
            : WriteOwn(context, query["endpoint"], Seconds(query["history"]) ?? int.MaxValue);
    }

    public Task GetPart(HttpContext context, string name) =>
        Admit(context, HttpMethods.Get) ? PageFiles.WritePart(context, name) : Task.CompletedTask;

    public Task GetHelp(HttpContext context) => Admit(context, HttpMethods.Get) ? HelpPage.Write(context) : Task.CompletedTask;

    public Task GetProfile(HttpContext context)
    {
        if (!Admit(context, HttpMethods.Get))
        {
            return Task.CompletedTask;
        }

        var query = context.Request.Query;
        var filter = query["endpoint"];
        return query["format"].ToString() switch
        {
            "collapsed" => Write(context, ProfileText.Collapsed(stacks.Read(filter)), "text/plain; charset=utf-8").AsTask(),
            "tree" =>
                Write(context, ProfileText.Tree(new BlockedTree(stacks.Read(filter, isShort: true), options.Value.MaxStackNodes))).AsTask(),
            _ => Write(context, ProfileText.Speedscope(stacks.Read(filter))).AsTask(),
        };
    }

    /// <summary>Writes the metrics for Prometheus. Each scrape gets a fresh text.</summary>
    public async Task GetMetrics(HttpContext context)
    {
        if (!Admit(context, HttpMethods.Get))
        {
            return;
        }

        var format = PrometheusFormat.Choose(context.Request.Headers.Accept);
        context.Response.Headers.Vary = "Accept";
        var buffer = prometheus.Make(format);
        await Write(context, buffer.WrittenMemory, format.ContentType);
        prometheus.Buffers.GiveBack(buffer);
    }

    public Task Reset(HttpContext context)
    {
        if (Admit(context, HttpMethods.Post))
        {
            counts.Reset();
            _brief.Forget();
            context.Response.StatusCode = StatusCodes.Status204NoContent;
        }

        return Task.CompletedTask;
    }

    public async Task Snapshot(HttpContext context)
    {
        if (Admit(context, HttpMethods.Post))
        {
            await snapshots.AnswerAsync(context).ConfigureAwait(false);
            _brief.Forget();
        }
    }

    private static ValueTask WriteShared(HttpContext context, SharedReport report)
    {
        if (!AcceptsGzip(context) || report.Gzip is not { } gzip)
        {
            return Write(context, report.Json);
        }

        context.Response.Headers.ContentEncoding = "gzip";
        return Write(context, gzip);
    }

    private static bool AcceptsGzip(HttpContext context) =>
        context.Request.GetTypedHeaders().AcceptEncoding.Any(
            e => e.Value.Equals("gzip", StringComparison.OrdinalIgnoreCase) && e.Quality != 0);

    private async Task WriteOwn(HttpContext context, string? filter, int historySeconds)
    {
        var buffer = reports.Make(filter, historySeconds);
        await Write(context, buffer.WrittenMemory);

        // Skipped if the write failed: the app may have replaced the response stream, and that stream may still be reading the buffer.
        reports.Buffers.GiveBack(buffer);
    }

    private static ValueTask Write(HttpContext context, ReadOnlyMemory<byte> body, string type = "application/json; charset=utf-8")
    {
        context.Response.ContentType = type;
        context.Response.ContentLength = body.Length;
        return context.Response.Body.WriteAsync(body, context.RequestAborted);
    }

    /// <summary>A client that asks every second only needs the last few seconds of history.</summary>
    private static int? Seconds(string? history) =>
        int.TryParse(history, NumberStyles.None, CultureInfo.InvariantCulture, out var seconds) ? seconds : null;

    /// <summary>The routes accept every HTTP method, because a 405 from routing would show a stranger that something is here.</summary>
    private bool Admit(HttpContext context, string method)
    {
        NeverStored.Apply(context);
        if (!access.Allows(context))
        {
            // 404, because a 403 would show a stranger that something is here.
            context.Response.StatusCode = StatusCodes.Status404NotFound;
            HintAtName(context);
            return false;
        }

        context.Response.Headers.XContentTypeOptions = "nosniff";
        var asked = context.Request.Method;
        if (HttpMethods.Equals(asked, method) || (HttpMethods.IsHead(asked) && HttpMethods.IsGet(method)))
        {
            return true;
        }

        context.Response.StatusCode = StatusCodes.Status405MethodNotAllowed;
        context.Response.Headers.Allow = HttpMethods.IsGet(method) ? "GET, HEAD" : method;
        return false;
    }

    private void HintAtName(HttpContext context)
    {
        if (access.RefusesNameOnly(context) && Interlocked.Exchange(ref _hasHinted, 1) == 0)
        {
            faults.Guard(() => Log.ForeignName(logger));
        }
    }
}
