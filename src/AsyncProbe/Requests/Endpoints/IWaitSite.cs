using AsyncProbe.Common;

namespace AsyncProbe.Requests.Endpoints;

/// <summary>A call site, as far as the account of a request needs to know it.</summary>
internal interface IWaitSite
{
    /// <summary>Whether the waits there are allowed.</summary>
    bool IsAllowed { get; }

    /// <summary>Whether threads wait there for a lock.</summary>
    bool IsLock { get; }

    /// <summary>Whether that lock is the framework's or a library's own.</summary>
    bool IsForeignLock { get; }

    /// <summary>Whether the report shows it.</summary>
    bool IsShown { get; }

    /// <summary>Counts a wait there.</summary>
    /// <param name="duration">How long it lasted.</param>
    /// <param name="endpoint">Whose wait.</param>
    void Add(Duration duration, string endpoint);

    /// <summary>Counts one of a cold request.</summary>
    /// <param name="duration">How long it lasted.</param>
    /// <param name="endpoint">Whose wait.</param>
    void AddCold(Duration duration, string endpoint);

    /// <summary>Its name for a response header, which carries nothing but ASCII.</summary>
    string HeaderText { get; }
}
