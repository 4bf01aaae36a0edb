namespace AsyncProbe.Requests.Endpoints;

/// <summary>A call site, as far as the account of a request needs to know it.</summary>
internal interface IWaitSite
{
    /// <summary>Whether the waits there are meant to be.</summary>
    bool IsAllowed { get; }

    /// <summary>Whether threads wait there for a lock.</summary>
    bool IsLock { get; }

    /// <summary>Its name for a response header, which carries nothing but ASCII.</summary>
    string HeaderText { get; }
}
