using AsyncProbe.Common;
using AsyncProbe.Reporting.Http;
using AsyncProbe.Requests.Endpoints;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Options;

namespace AsyncProbe.Accounting;

/// <summary>Writes the headers when a response starts, if they are enabled. Nothing here throws into a request.</summary>
internal sealed class RequestHeaders(ResponseHeaders headers, Faults faults, IOptions<AsyncProbeOptions> options)
{
    private volatile bool _isOn = options.Value.EmitHeaders == true;

    private readonly Func<object, Task> _write = faults.Guarded<RequestLife>(request =>
    {
        if (request.Probe.Totals is not { IsIgnored: true })
        {
            headers.Write(request.Response.Headers, request.Probe);
        }
    });

    private readonly Func<object, Task> _writePool = faults.Guarded<HttpContext>(context =>
    {
        if (context.GetEndpoint()?.Metadata.GetMetadata<NotCountedMetadata>() is null)
        {
            headers.WritePool(context.Response.Headers);
        }
    });

    /// <summary>Writes them from the next request on.</summary>
    public void TurnOn() => _isOn = true;

    public void Register(RequestLife request)
    {
        if (_isOn)
        {
            request.Response.OnStarting(_write, request);
        }
    }

    /// <summary>Writes only the pool's headers, for a request that isn't measured.</summary>
    public void RegisterPool(HttpContext context)
    {
        if (_isOn)
        {
            context.Response.OnStarting(_writePool, context);
        }
    }
}
