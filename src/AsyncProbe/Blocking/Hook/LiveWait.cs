using AsyncProbe.Blocking.Kinds;
using AsyncProbe.Blocking.Stacks;
using AsyncProbe.Requests;

namespace AsyncProbe.Blocking.Hook;

/// <summary>A wait in progress. It gives a hang a name while it lasts.</summary>
internal sealed record LiveWait(RequestProbe Probe, int OsThreadId, WaitKind Kind, SiteFrame At);
