namespace AsyncProbe.Common;

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
