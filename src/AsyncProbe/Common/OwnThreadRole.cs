namespace AsyncProbe.Common;

/// <summary>The purpose of a thread of AsyncProbe.</summary>
internal enum OwnThreadRole
{
    Watcher,
    Lifeline,
    Hops,
    Hop,
    Snapshot,
    Window,
    SessionEnd,
}
