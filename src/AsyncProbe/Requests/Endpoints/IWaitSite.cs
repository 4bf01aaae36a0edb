using AsyncProbe.Common;

namespace AsyncProbe.Requests.Endpoints;

/// <summary>The facts about a call site that a request's figures need.</summary>
internal interface IWaitSite
{
    /// <summary>Whether waits there are allowed.</summary>
    bool IsAllowed { get; }

    /// <summary>Whether threads wait for a lock there.</summary>
    bool IsLock { get; }

    /// <summary>Whether that lock belongs to the framework or a library.</summary>
    bool IsForeignLock { get; }

    /// <summary>Whether the report shows it.</summary>
    bool IsShown { get; }

    /// <summary>Counts a wait there.</summary>
    /// <param name="duration">How long it lasted.</param>
    /// <param name="endpoint">The endpoint that waited.</param>
    void Add(Duration duration, string endpoint);

    /// <summary>Counts a wait of a cold request there.</summary>
    /// <param name="duration">How long it lasted.</param>
    /// <param name="endpoint">The endpoint that waited.</param>
    void AddCold(Duration duration, string endpoint);

    /// <summary>Its name for a response header, in ASCII only.</summary>
    string HeaderText { get; }
}
