using System.Diagnostics;
using AsyncProbe.Accounting;
using AsyncProbe.Common;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;

namespace AsyncProbe.Attach;

/// <summary>
/// Follows requests through the server's own events, which arrive in each request's execution context: when the server has created the HTTP
/// context, and when everything has finished, including disposal. For a request that began before the subscription, only the end arrives,
/// and it is ignored.
/// </summary>
internal sealed class AttachedRequests(RequestAccounting accounting, Faults faults)
    : IObserver<DiagnosticListener>, IObserver<KeyValuePair<string, object?>>
{
    private const string Server = "Microsoft.AspNetCore";
    private const string Begin = "Microsoft.AspNetCore.Hosting.BeginRequest";
    private const string End = "Microsoft.AspNetCore.Hosting.EndRequest";
    private const string Threw = "Microsoft.AspNetCore.Hosting.UnhandledException";

    private readonly Lock _lock = new();
    private readonly List<IDisposable> _subscriptions = [];
    private volatile EventPayload? _payload;
    private volatile bool _isLeaving;
    private volatile bool _isHostNew;
    private int _running;

    public void Subscribe()
    {
        var subscription = DiagnosticListener.AllListeners.Subscribe(this);
        lock (_lock)
        {
            _subscriptions.Add(subscription);
        }
    }

    /// <summary>
    /// Stops following new requests, and unsubscribes once the running ones have ended. Unsubscribing immediately would leave the execution
    /// context of their connections attached to a request.
    /// </summary>
    public void Leave()
    {
        _isLeaving = true;

        // A request may begin or end at this moment. With the barrier, either it sees the flag or we see the request.
        Interlocked.MemoryBarrier();
        UnsubscribeIfDone();
    }

    public void OnNext(DiagnosticListener value)
    {
        if (value.Name != Server)
        {
            return;
        }

        // The code that creates the listener would get the exception.
        try
        {
            _isHostNew = true;

            // The server asks before every event. If we accepted HttpRequestIn, it would create an activity for every request.
            var subscription = value.Subscribe(this, name => name is End or Threw || (name is Begin && !_isLeaving));
            lock (_lock)
            {
                _subscriptions.Add(subscription);
            }
        }
        catch (Exception e)
        {
            faults.Note(e);
        }
    }

    public void OnNext(KeyValuePair<string, object?> value)
    {
        try
        {
            // Events that other subscribers have asked for arrive here as well.
            if (value is { Key: Begin or End or Threw, Value: { } payload } && ContextOf(payload) is { } context)
            {
                if (value.Key == Begin)
                {
                    OnBegin(context);
                }
                else
                {
                    OnEnd(context, value.Key == Threw);
                }
            }
        }
        catch (Exception e)
        {
            faults.Note(e);
        }
    }

    public void OnCompleted()
    {
    }

    public void OnError(Exception error)
    {
    }

    private HttpContext? ContextOf(object payload)
    {
        if (_payload is not { } known || !known.Fits(payload))
        {
            _payload = known = EventPayload.Create(payload.GetType());
        }

        return known?.Read(payload);
    }

    private void OnBegin(HttpContext context)
    {
        Interlocked.Increment(ref _running);
        var isFollowed = false;
        try
        {
            if (!_isLeaving && !IsMeasuredByPackage() && accounting.Begin(context) is { } request)
            {
                context.Features.Set(new AttachedRequest(request));
                isFollowed = true;
                request.Enter();
            }
        }
        finally
        {
            if (!isFollowed)
            {
                CountEnd();
            }
        }
    }

    // A host with the package has usually started it before its first request. The probe ends a moment later.
    private bool IsMeasuredByPackage()
    {
        if (!_isHostNew)
        {
            return false;
        }

        var isMeasured = PackageReport.Find() is not null;
        _isHostNew = isMeasured;
        return isMeasured;
    }

    private void OnEnd(HttpContext context, bool threw)
    {
        if (context.Features.Get<AttachedRequest>()?.Take() is not { } request)
        {
            return;
        }

        try
        {
            if (threw)
            {
                request.NoteFailure(context);
            }

            request.Probe.IsFromCache = CacheHits.IsHit(context, request.Endpoint);
            accounting.OnServerDone(context, request);
            Forget(context, request);
        }
        finally
        {
            CountEnd();
        }
    }

    private void CountEnd()
    {
        if (Interlocked.Decrement(ref _running) == 0 && _isLeaving)
        {
            UnsubscribeIfDone();
        }
    }

    // The server keeps the features until the next request on the connection.
    private static void Forget(HttpContext context, RequestLife request)
    {
        if (context.Features.Get<IEndpointFeature>() == request)
        {
            context.Features.Set<IEndpointFeature>(new EndedEndpoint(request.Endpoint));
        }
    }

    private void UnsubscribeIfDone()
    {
        if (Volatile.Read(ref _running) > 0)
        {
            return;
        }

        lock (_lock)
        {
            _subscriptions.ForEach(subscription => subscription.Dispose());
            _subscriptions.Clear();
        }
    }
}
