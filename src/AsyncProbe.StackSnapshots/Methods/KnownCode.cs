namespace AsyncProbe.StackSnapshots.Methods;

/// <summary>What is known about the code at an address.</summary>
/// <param name="Frame">Its method; null for code that belongs to none, such as what the runtime makes for a call of native code.</param>
/// <param name="Innermost">What the thread is doing when this is its innermost frame.</param>
internal readonly record struct KnownCode(SampledFrame? Frame, InnermostFrame Innermost);
