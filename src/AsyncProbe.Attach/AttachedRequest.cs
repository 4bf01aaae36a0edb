using AsyncProbe.Wiring;

namespace AsyncProbe.Attach;

/// <summary>Leads from a request's context to its account, until it is taken.</summary>
internal sealed class AttachedRequest(RequestLife request)
{
    private RequestLife? _request = request;

    public RequestLife? Take() => Interlocked.Exchange(ref _request, null);
}
