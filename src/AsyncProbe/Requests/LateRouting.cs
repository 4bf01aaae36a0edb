using AsyncProbe.Blocking;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;

namespace AsyncProbe.Requests;

/// <summary>
/// Stands in for the endpoint feature of a request that has no endpoint yet, and hears of it the moment a later <c>UseRouting()</c> sets
/// it. Asking afterwards would come too late for arming, and would find nothing after an error handler cleared it.
/// </summary>
internal sealed class LateRouting(RequestProbe probe, EndpointTable table, Arming arming, string method) : IEndpointFeature
{
    public Endpoint? Endpoint
    {
        get;
        set
        {
            field = value;
            if (value is not null)
            {
                arming.Attribute(probe, table.Of(value, method));
                if (ThreadSegments.Current == probe)
                {
                    ThreadSegments.Install(probe);
                }
            }
        }
    }
}
