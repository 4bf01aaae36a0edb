namespace AsyncProbe.Rules;

/// <summary>Whether anyone has looked at the waits of an endpoint, or of a thread that is held now, and what was seen.</summary>
internal enum WaitsSeen
{
    /// <summary>No request that blocked carried the wait hook, so nothing may be said about where it waits.</summary>
    NotLooked,

    /// <summary>A place was found that accounts for it.</summary>
    Found,

    /// <summary>The hook watched and saw next to nothing: Thread.Sleep, file I/O or native code.</summary>
    NothingFound,
}
