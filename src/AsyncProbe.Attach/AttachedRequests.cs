using System.Diagnostics;
using AsyncProbe.Common;
using AsyncProbe.Wiring;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;

namespace AsyncProbe.Attach;

/// <summary>
/// Follows requests by the server's own events, which arrive in the flow of each request: when the server has made its context, and when
/// all is done, disposal included. Requests that began before the subscription end here without a beginning, and are ignored.
/// </summary>
internal sealed class AttachedRequests(RequestAccounting accounting, RequestCompletion completion, Faults faults)
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
    /// Begins no more requests, and unsubscribes when the running ones have ended. To leave at once would leave their connections
    /// behind in a flow that still belongs to a request.
    /// </summary>
    public void Leave()
    {
        _isLeaving = true;
        UnsubscribeIfDone();
    }

    public void OnNext(DiagnosticListener value)
    {
        if (value.Name == Server)
        {
            // The server asks before every event. If we accepted HttpRequestIn, it would create an activity for every request.
            var subscription = value.Subscribe(this, name => name is End or Threw || (name is Begin && !_isLeaving));
            lock (_lock)
            {
                _subscriptions.Add(subscription);
            }
        }
    }

    public void OnNext(KeyValuePair<string, object?> value)
    {
        try
        {
            if (value.Value is { } payload && ContextOf(payload) is { } context)
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
        if (_isLeaving || accounting.Begin(context) is not { } request)
        {
            return;
        }

        Interlocked.Increment(ref _running);
        context.Features.Set(new AttachedRequest(request));
        request.Enter();
    }

    private void OnEnd(HttpContext context, bool threw)
    {
        if (context.Features.Get<AttachedRequest>()?.Take() is not { } request)
        {
            return;
        }

        if (threw)
        {
            request.NoteFailure(context);
        }

        completion.OnServerDone(context, request);
        Forget(context, request);
        if (Interlocked.Decrement(ref _running) == 0 && _isLeaving)
        {
            UnsubscribeIfDone();
        }
    }

    // The server keeps the features until the connection's next request.
    private static void Forget(HttpContext context, RequestLife request)
    {
        context.Features.Set<IAsyncProbeFeature>(null);
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
