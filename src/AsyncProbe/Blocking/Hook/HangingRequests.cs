using AsyncProbe.Pool.Sampling;
using AsyncProbe.Requests.Endpoints;

namespace AsyncProbe.Blocking.Hook;

/// <summary>Arms the endpoints of requests that hang. Such a request never ends, so accounting learns nothing from it.</summary>
internal sealed class HangingRequests(Arming arming, EndpointTable endpoints) : IWatcherListener
{
    public void OnTick(PoolSample sample, LiveSegments live)
    {
        foreach (var segment in live.All)
        {
            if (segment is { IsBlocked: true, Probe: { Totals: { } totals, HasEnded: false } }
                && segment.Held >= HookedWait.LongFrom && endpoints.Owns(totals))
            {
                arming.OnHanging(totals);
            }
        }
    }
}
