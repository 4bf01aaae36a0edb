using AsyncProbe.Common;
using AsyncProbe.Requests;
using AsyncProbe.Requests.Counts;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Routing;

namespace AsyncProbe.Accounting;

/// <summary>
/// A request's life cycle, and the only place that changes its state. Both entry points use it: the middleware, and the server's events if
/// a tool is attached.
/// <code>
/// Running → Left → Completing → Counted      the usual way; without callbacks to follow, or attached, straight from Left to Counted
/// Running → Throwing → CountedEarly          an exception leaves the pipeline; the server may never say that it is done
///           CountedEarly → CompletingLate → Counted
/// Running → ServerFirst → Counted            the server is done before the pipeline has ended
/// </code>
/// It also replaces the request's endpoint feature, because it must know the endpoint as soon as routing sets it. Any later would be too
/// late for arming, and an error handler may have cleared it.
/// </summary>
internal sealed class RequestLife(RequestAccounting accounting, RequestProbe probe, HttpResponse response) : IEndpointFeature
{
    private ExecutionContext? _outside;
    private ExecutionContext? _inside;
    private Timestamp _at;

    public RequestProbe Probe => probe;

    public HttpResponse Response => response;

    public string Method => response.HttpContext.Request.Method;

    public RequestState State { get; private set; }

    /// <summary>How the pipeline ended.</summary>
    public RequestOutcome Outcome { get; set; }

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

    /// <summary>Attributes the request by its route values, where MVC routes without endpoints.</summary>
    public void OnRouteValues(LegacyActions actions, RouteValueDictionary? values)
    {
        if (values is not null && probe.Totals is null)
        {
            accounting.Attribute(this, actions, values);
        }
    }

    /// <summary>Opens the first segment. Call it inside an async method, so that nothing leaks into the caller's context.</summary>
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
            // The request continues without being followed.
            Faults.NoteQuietly();
        }
    }

    /// <summary>Called when the pipeline has ended: closes the current segment.</summary>
    /// <param name="isServerFlow">
    /// Whether this is the server's own flow, which keeps what the server has put into its context since.
    /// </param>
    /// <returns>When the segment ended.</returns>
    public Timestamp Leave(bool isServerFlow = false)
    {
        _at = isServerFlow ? ExitAgain() : ThreadSegments.Exit(probe, _outside);
        Segments = probe.Arrivals;
        State = State switch
        {
            RequestState.Throwing => RequestState.CountedEarly,
            RequestState.ServerFirst => RequestState.Counted,
            _ => RequestState.Left,
        };
        return _at;
    }

    /// <summary>Called when the server has run everything that belongs to the request.</summary>
    /// <returns>The previous state.</returns>
    public RequestState OnServerDone()
    {
        var before = State;
        State = before is RequestState.Running or RequestState.Throwing ? RequestState.ServerFirst : RequestState.Counted;
        return before;
    }

    /// <summary>Opens another segment in the server's own flow, for what it runs after the pipeline.</summary>
    public void EnterAgain()
    {
        if (_inside is not null && _outside is not null && ExecutionContext.Capture() == _outside)
        {
            // Reuse the earlier context: setting the value would allocate another one.
            ExecutionContext.Restore(_inside);
        }
        else
        {
            ThreadSegments.Set(probe);
        }
    }

    /// <summary>The same for the callbacks at the end of the request.</summary>
    public void EnterEnd()
    {
        EnterAgain();
        State = State switch
        {
            RequestState.Left => RequestState.Completing,
            RequestState.CountedEarly => RequestState.CompletingLate,
            _ => State,
        };

        // The arrival has just read the clock.
        _at = ThreadSlots.Mine is { IsPoolThread: true } slot ? slot.StartedAt : Timestamp.Now();
    }

    /// <summary>Closes the segment of the server's callbacks, if they were followed.</summary>
    /// <param name="isFollowed">Whether the callbacks were followed.</param>
    /// <param name="watch">Learns from the time they took.</param>
    /// <returns>When the request ended.</returns>
    public Timestamp LeaveAgain(bool isFollowed, CompletionWatch watch)
    {
        var endedAt = isFollowed ? ExitAgain() : Timestamp.Now();
        if (isFollowed)
        {
            watch.OnFollowed(endedAt - _at);
        }
        else
        {
            watch.OnEnd(endedAt - _at);
        }

        return endedAt;
    }

    // Not counted as a segment, because readers of that count look for awaits.
    private Timestamp ExitAgain()
    {
        // A callback or the server may have changed the context for the callbacks after it.
        var outside = ExecutionContext.Capture() == _inside ? _outside : null;
        return ThreadSegments.Exit(probe, outside);
    }

    /// <summary>Called when an exception left the pipeline, as the server reports it.</summary>
    public void NoteFailure(HttpContext context) => Note(context.Features.Get<IBadRequestExceptionFeature>()?.Error, context);

    /// <summary>Notes how the request failed. Always returns false: as an exception filter, it lets the exception pass untouched.</summary>
    public bool Note(Exception? exception, HttpContext context)
    {
        if (context.RequestAborted.IsCancellationRequested)
        {
            Outcome |= RequestOutcome.Aborted;
        }
        else if (exception is not BadHttpRequestException { StatusCode: < StatusCodes.Status500InternalServerError })
        {
            Outcome |= RequestOutcome.Failed;
        }

        State = State == RequestState.Running ? RequestState.Throwing : State;
        return false;
    }
}
