using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Routing;

namespace AsyncProbe.Accounting;

/// <summary>Replaces a request's route values feature if MVC routes without endpoints, and names the request once they are set.</summary>
/// <param name="request">The request to name.</param>
/// <param name="actions">The app's actions.</param>
/// <param name="earlier">The values that code before AsyncProbe has set; null if there are none.</param>
internal sealed class LegacyRouteValues(RequestLife request, LegacyActions actions, RouteValueDictionary? earlier) : IRouteValuesFeature
{
    private RouteValueDictionary? _values = earlier;

    public RouteValueDictionary RouteValues
    {
        get => _values ??= [];
        set
        {
            _values = value;
            request.OnRouteValues(actions, value);
        }
    }
}
