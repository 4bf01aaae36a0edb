using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Routing;

namespace AsyncProbe.Accounting;

/// <summary>Replaces a request's route values feature if MVC routes without endpoints, and names the request once they are set.</summary>
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
