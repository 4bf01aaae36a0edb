namespace AsyncProbe.Rules;

/// <summary>Whether the waits of an endpoint, or of a currently held thread, have been watched, and what was found.</summary>
internal enum WaitsSeen
{
    /// <summary>The wait hook has not watched a request that blocked, so where it waits is unknown.</summary>
    NotLooked,

    /// <summary>A known place accounts for the blocked time.</summary>
    Found,

    /// <summary>The hook watched and saw almost nothing: Thread.Sleep, file I/O or native code.</summary>
    NothingFound,
}
