using AsyncProbe.Blocking.Kinds;

namespace AsyncProbe.Cli.Stacks;

/// <summary>The place to blame for a wait.</summary>
/// <param name="Kind">How it waited.</param>
/// <param name="Method">The method, as in the source.</param>
/// <param name="File">The source file; null when unknown.</param>
/// <param name="Line">The line; null when unknown.</param>
internal sealed record RemotePlace(WaitKind Kind, string Method, string? File = null, int? Line = null);
