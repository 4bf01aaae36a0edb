using AsyncProbe.Common;
using AsyncProbe.Requests;
using AsyncProbe.Requests.Endpoints;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Routing;

namespace AsyncProbe.Wiring;

/// <summary>
/// A request from the server's first middleware to its last disposal: what the callbacks of its response share. It also stands in for the
/// request's endpoint feature, to hear of the endpoint the moment routing sets it: to ask afterwards would come too late for arming, and
/// would find nothing after an error handler cleared it.
/// </summary>
internal sealed class MeasuredRequest(
    RequestAccounting accounting, RequestProbe probe, HttpResponse response, string method) : IEndpointFeature
{
    private ExecutionContext? _outside;
    private ExecutionContext? _inside;
    private Timestamp _at;

    public RequestProbe Probe => probe;

    public HttpResponse Response => response;

    public string Method => method;

    /// <summary>How the pipeline ended.</summary>
    public RequestOutcome Outcome { get; set; }

    /// <summary>Whether it went into the totals already.</summary>
    public bool IsCounted { get; set; }

    /// <summary>Whether the pipeline has ended.</summary>
    public bool HasLeft { get; private set; }

    /// <summary>Whether an exception left the pipeline.</summary>
    public bool HasThrown { get; private set; }

    /// <summary>Whether the server was done with the request before the pipeline had ended.</summary>
    public bool IsServerDone { get; set; }

    /// <summary>Whether it was followed into the server's callbacks.</summary>
    public bool IsFollowed { get; private set; }

    /// <summary>How many segments the request had when the pipeline ended.</summary>
    public int Segments { get; private set; }

    public Endpoint? Endpoint
    {
        get;
        set
        {
            field = value;
            if (value is not null && probe.Totals is null)
            {
                accounting.Attribute(this, value);
            }
        }
    }

    /// <summary>Where MVC routes without endpoints, the route values tell which action it is.</summary>
    public void OnRouteValues(LegacyActions actions, RouteValueDictionary? values)
    {
        if (values is not null && probe.Totals is null)
        {
            accounting.Attribute(this, actions, values);
        }
    }

    /// <summary>Opens the first segment. To be called inside an async method, so that nothing leaks into its caller's context.</summary>
    public void Enter()
    {
        _outside = ExecutionContext.Capture();
        try
        {
            ThreadSegments.EnterHere(probe);
            _inside = ExecutionContext.Capture();
        }
        catch (Exception)
        {
            // The request goes on and is not followed.
            Faults.NoteQuietly();
        }
    }

    /// <summary>Closes the segment in which the pipeline ended.</summary>
    /// <returns>The moment.</returns>
    public Timestamp Exit()
    {
        _at = ThreadSegments.Exit(probe, _outside);
        Segments = probe.Arrivals;
        HasLeft = true;
        return _at;
    }

    /// <summary>Opens a further segment in the server's own flow, for what it runs after the pipeline.</summary>
    public void EnterAgain()
    {
        if (_inside is not null && _outside is not null && ExecutionContext.Capture() == _outside)
        {
            // The context of before: setting the value would allocate another.
            ExecutionContext.Restore(_inside);
        }
        else
        {
            ThreadSegments.Set(probe);
        }
    }

    /// <summary>The same for the callbacks at the request's end.</summary>
    public void EnterEnd()
    {
        EnterAgain();
        IsFollowed = true;

        // The arrival has just looked at the clock.
        _at = ThreadSlots.Mine is { IsPoolThread: true } slot ? slot.StartedAt : Timestamp.Now();
    }

    /// <summary>The server has run everything.</summary>
    /// <param name="watch">Learns from it.</param>
    /// <returns>The moment.</returns>
    public Timestamp End(CompletionWatch watch)
    {
        var endedAt = IsFollowed ? ExitAgain() : Timestamp.Now();
        if (IsFollowed)
        {
            watch.OnFollowed(endedAt - _at);
        }
        else
        {
            watch.OnEnd(endedAt - _at);
        }

        return endedAt;
    }

    // Not counted as a segment: a reader of that figure looks for awaits.
    private Timestamp ExitAgain()
    {
        // A callback may have changed the context for those after it.
        var outside = ExecutionContext.Capture() == _inside ? _outside : null;
        return ThreadSegments.Exit(probe, outside);
    }

    /// <summary>Notes how the request failed. Always false, as an exception filter, so that the exception passes by untouched.</summary>
    public bool Note(Exception exception, HttpContext context)
    {
        if (context.RequestAborted.IsCancellationRequested)
        {
            Outcome |= RequestOutcome.Aborted;
        }
        else if (exception is not BadHttpRequestException { StatusCode: < StatusCodes.Status500InternalServerError })
        {
            Outcome |= RequestOutcome.Failed;
        }

        HasThrown = true;
        return false;
    }
}
