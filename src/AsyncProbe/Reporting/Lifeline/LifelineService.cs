using AsyncProbe.Common;
using AsyncProbe.Reporting.Json;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace AsyncProbe.Reporting.Lifeline;

/// <summary>
/// Serves the report, its page and the metrics on <c>LifelinePort</c> from a dedicated thread, so they can be read even when no pool thread
/// is free.
/// </summary>
internal sealed class LifelineService(
    LifelineFiles files, LifelineOrigins origins, LifelineMetrics metrics, ReportText reports, LifelineAddress address,
    IOptions<AsyncProbeOptions> options,
    Faults faults, ILogger<LifelineService> logger) : IDisposable
{
    private readonly KeptText<int, byte[]> _reports = new(Duration.FromMilliseconds(250));
    private LifelineListener? _listener;
    private bool _hasStarted;

    public void Start()
    {
        if (_hasStarted || options.Value is not { Enabled: true, LifelinePort: { } port })
        {
            return;
        }

        _hasStarted = true;
        try
        {
            _listener = new LifelineListener(port, Answer, faults);
            address.Set(port);
            faults.Guard(() => Log.LifelineListens(logger, address.Url!));
        }
        catch (Exception e)
        {
            // A diagnostic aid must not keep the application from starting.
            faults.Guard(() => Log.LifelineFailed(logger, port, e.Message));
        }
    }

    public void Dispose()
    {
        address.Clear();
        try
        {
            Interlocked.Exchange(ref _listener, null)?.Dispose();
        }
        catch (Exception e)
        {
            faults.Note(e);
        }
    }

    /// <summary>Not thread-safe: call it from the lifeline's thread or from another listener's, but only one at a time.</summary>
    public LifelineAnswer Answer(LifelineRequest request)
    {
        if (request.Status != 200)
        {
            return Refuse(request.Status);
        }

        // A script on another site's page gets nothing; a script on the app's own page gets the figures.
        if (!origins.Allows(request, out var reader))
        {
            return Refuse(404);
        }

        try
        {
            return request.Path == LifelineMetrics.Path
                ? metrics.Answer(request, reader)
                : files.Find(request) ?? (request.Path == "/" ? Report(request.HistorySeconds, reader) : Refuse(404));
        }
        catch (Exception e)
        {
            // The thread must survive to serve the next caller.
            faults.Note(e);
            faults.Guard(() => Log.LifelineReportFailed(logger, e));
            return Refuse(500);
        }
    }

    private LifelineAnswer Report(int historySeconds, string? reader)
    {
        var report = _reports.Get(historySeconds, () => reports.MakeCopy(historySeconds));
        return new LifelineAnswer(200, LifelineAnswer.Json, report, LifelineOrigins.Headers(reader));
    }

    private static LifelineAnswer Refuse(int status) => new(status, LifelineAnswer.Json, [], []);
}
