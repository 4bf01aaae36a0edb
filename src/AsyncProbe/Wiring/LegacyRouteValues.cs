using AsyncProbe.Requests;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Routing;

namespace AsyncProbe.Wiring;

/// <summary>
/// Stands in for the route values of a request where MVC routes without endpoints, and names the request when they are set.
/// </summary>
internal sealed class LegacyRouteValues(RequestLife request, LegacyActions actions) : IRouteValuesFeature
{
    public RouteValueDictionary RouteValues
    {
        get => field ??= [];
        set
        {
            field = value;
            request.OnRouteValues(actions, value);
        }
    }
}
