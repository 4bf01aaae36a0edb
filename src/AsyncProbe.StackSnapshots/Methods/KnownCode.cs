namespace AsyncProbe.StackSnapshots.Methods;

/// <summary>What is known about the code at an address.</summary>
/// <param name="Frame">Its method; null for code without one, such as a stub that the runtime generates for a native call.</param>
/// <param name="Innermost">The thread's activity if this is its innermost frame.</param>
internal readonly record struct KnownCode(SampledFrame? Frame, InnermostFrame Innermost);
