using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;

namespace AsyncProbe.Attach;

/// <summary>
/// The endpoint of a request that has ended, for tracers that read it later. The server keeps it as long as the connection is idle, so it
/// must not reference the probe's own objects.
/// </summary>
internal sealed class EndedEndpoint(Endpoint? endpoint) : IEndpointFeature
{
    public Endpoint? Endpoint { get; set; } = endpoint;
}
