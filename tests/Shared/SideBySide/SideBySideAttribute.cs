namespace AsyncProbe.Tests.Shared;

/// <summary>
/// Marks tests that mostly wait, and whose result doesn't depend on what else runs in the process. They run first, in parallel. All
/// other classes then run one at a time, because they measure this process: its threads, its pool, its memory.
/// </summary>
[AttributeUsage(AttributeTargets.Class)]
internal sealed class SideBySideAttribute : Attribute;
