using AsyncProbe.Common;
using AsyncProbe.Reporting.Http;
using AsyncProbe.Requests.Endpoints;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Options;

namespace AsyncProbe.Accounting;

/// <summary>Writes the headers when a response starts, if they are enabled. Nothing here throws into a request.</summary>
internal sealed class RequestHeaders
{
    private readonly ResponseHeaders _headers;
    private readonly Faults _faults;
    private readonly Func<object, Task> _writeHeaders;
    private readonly Func<object, Task> _writePoolHeaders;
    private volatile bool _isOn;

    public RequestHeaders(ResponseHeaders headers, Faults faults, IOptions<AsyncProbeOptions> options)
    {
        _headers = headers;
        _faults = faults;
        _writeHeaders = WriteHeaders;
        _writePoolHeaders = WritePoolHeaders;
        _isOn = options.Value.EmitHeaders == true;
    }

    /// <summary>Writes them from the next request on.</summary>
    public void TurnOn() => _isOn = true;

    public void Register(RequestLife request)
    {
        if (_isOn)
        {
            request.Response.OnStarting(_writeHeaders, request);
        }
    }

    /// <summary>Writes only the pool's headers, for a request that isn't measured.</summary>
    public void RegisterPool(HttpContext context)
    {
        if (_isOn)
        {
            context.Response.OnStarting(_writePoolHeaders, context);
        }
    }

    private Task WriteHeaders(object state)
    {
        var request = (RequestLife)state;
        try
        {
            if (request.Probe.Totals is not { IsIgnored: true })
            {
                _headers.Write(request.Response.Headers, request.Probe);
            }
        }
        catch (Exception e)
        {
            _faults.Note(e);
        }

        return Task.CompletedTask;
    }

    private Task WritePoolHeaders(object state)
    {
        var context = (HttpContext)state;
        try
        {
            if (context.GetEndpoint()?.Metadata.GetMetadata<NotCountedMetadata>() is null)
            {
                _headers.WritePool(context.Response.Headers);
            }
        }
        catch (Exception e)
        {
            _faults.Note(e);
        }

        return Task.CompletedTask;
    }
}
