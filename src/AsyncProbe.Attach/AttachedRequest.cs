using AsyncProbe.Accounting;

namespace AsyncProbe.Attach;

/// <summary>Links a request's context to its measurements, until they are taken.</summary>
internal sealed class AttachedRequest(RequestLife request)
{
    private RequestLife? _request = request;

    public RequestLife? Take() => Interlocked.Exchange(ref _request, null);
}
