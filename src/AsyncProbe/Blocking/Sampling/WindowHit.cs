using AsyncProbe.Blocking.Sites;
using AsyncProbe.Common;
using AsyncProbe.Requests.Endpoints;

namespace AsyncProbe.Blocking.Sampling;

/// <summary>A wait that a window saw.</summary>
/// <param name="Totals">Whose.</param>
/// <param name="Site">Where.</param>
/// <param name="Length">For how long, as far as the window saw it.</param>
internal readonly record struct WindowHit(EndpointTotals Totals, BlockingSite Site, Duration Length);
