using AsyncProbe.Common;
using AsyncProbe.Requests;
using AsyncProbe.Requests.Endpoints;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Routing;

namespace AsyncProbe.Wiring;

/// <summary>
/// A request's life, and the only place that moves it on. Both entries use it: the middleware, and the server's events where a tool has
/// attached.
/// <code>
/// Running → Left → Completing → Counted      the usual way; without callbacks to follow, or attached, straight from Left to Counted
/// Running → Throwing → CountedEarly          an exception leaves the pipeline; the server may never say that it is done
///           CountedEarly → CompletingLate → Counted
/// Running → ServerFirst → Counted            the server is done before the pipeline has ended
/// </code>
/// It also stands in for the request's endpoint feature, because it must know the endpoint the moment routing sets it: later would be too
/// late for arming, and an error handler may have cleared it.
/// </summary>
internal sealed class RequestLife(
    RequestAccounting accounting, RequestProbe probe, HttpResponse response, string method) : IEndpointFeature
{
    private ExecutionContext? _outside;
    private ExecutionContext? _inside;
    private Timestamp _at;

    public RequestProbe Probe => probe;

    public HttpResponse Response => response;

    public string Method => method;

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

    /// <summary>The pipeline has ended: closes the segment in which it did.</summary>
    /// <param name="isServerFlow">Whether the flow is the server's own, which goes on with what the server has put into it since.</param>
    /// <returns>The moment.</returns>
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

    /// <summary>The server has run everything that belongs to the request.</summary>
    /// <returns>The state until now.</returns>
    public RequestState OnServerDone()
    {
        var before = State;
        State = before is RequestState.Running or RequestState.Throwing ? RequestState.ServerFirst : RequestState.Counted;
        return before;
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
        State = State switch
        {
            RequestState.Left => RequestState.Completing,
            RequestState.CountedEarly => RequestState.CompletingLate,
            _ => State,
        };

        // The arrival has just looked at the clock.
        _at = ThreadSlots.Mine is { IsPoolThread: true } slot ? slot.StartedAt : Timestamp.Now();
    }

    /// <summary>Closes the segment of the server's callbacks, if they were followed.</summary>
    /// <param name="isFollowed">Whether they were.</param>
    /// <param name="watch">Learns from it.</param>
    /// <returns>The moment.</returns>
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

    // Not counted as a segment: a reader of that figure looks for awaits.
    private Timestamp ExitAgain()
    {
        // A callback, or the server, may have changed the context for those after it.
        var outside = ExecutionContext.Capture() == _inside ? _outside : null;
        return ThreadSegments.Exit(probe, outside);
    }

    /// <summary>An exception left the pipeline, as the server reports it.</summary>
    public void NoteFailure(HttpContext context)
    {
        Outcome |= context.RequestAborted.IsCancellationRequested ? RequestOutcome.Aborted : RequestOutcome.Failed;
        Throw();
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

        Throw();
        return false;
    }

    private void Throw() => State = State == RequestState.Running ? RequestState.Throwing : State;
}
