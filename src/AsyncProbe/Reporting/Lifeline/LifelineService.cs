using System.Net.Sockets;
using System.Text;
using AsyncProbe.Common;
using AsyncProbe.Reporting.Json;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace AsyncProbe.Reporting.Lifeline;

/// <summary>
/// Answers <c>GET /</c> on <c>LifelinePort</c> with the report, from a thread of its own, so that somebody can look in while no pool
/// thread is free.
/// </summary>
internal sealed class LifelineService(
    ReportText reports, IOptions<AsyncProbeOptions> options, Faults faults, ILogger<LifelineService> logger) : IDisposable
{
    // Many callers at once get the same report: what is being sent is then only a few arrays, however many read slowly.
    private const long KeptFor = 250 * Nanoseconds.PerMillisecond;

    private LifelineListener? _listener;
    private bool _hasStarted;
    private byte[] _report = [];
    private long _reportMadeAt = long.MinValue / 2;

    /// <summary>Whether the app asks for it.</summary>
    public bool IsWanted => options.Value is { Enabled: true, LifelinePort: not null };

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
        }
        catch (SocketException e)
        {
            // A diagnostic aid must not keep the application from starting.
            faults.Guard(() => Log.LifelineFailed(logger, port, e.Message));
        }
    }

    public void Dispose() => Interlocked.Exchange(ref _listener, null)?.Dispose();

    private byte[] Answer(int status)
    {
        if (status != 200)
        {
            return Whole(status, []);
        }

        if (Nanoseconds.Now() - _reportMadeAt > KeptFor)
        {
            try
            {
                _report = Whole(status, reports.MakeCopy());

                // When it is ready: one that took longer to make than it is kept would be made for every caller anew.
                _reportMadeAt = Nanoseconds.Now();
            }
            catch (Exception e)
            {
                // The thread must live on for the next caller.
                faults.Note(e);
                faults.Guard(() => Log.LifelineReportFailed(logger, e));
                return Whole(500, []);
            }
        }

        return _report;
    }

    private static byte[] Whole(int status, byte[] body)
    {
        var head = $"HTTP/1.1 {status} {Reason(status)}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: {body.Length}\r\n"
            + "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n";
        return [.. Encoding.ASCII.GetBytes(head), .. body];
    }

    private static string Reason(int status) => status switch
    {
        200 => "OK",
        400 => "Bad Request",
        405 => "Method Not Allowed",
        431 => "Request Header Fields Too Large",
        500 => "Internal Server Error",
        _ => "Not Found",
    };
}
