namespace AsyncProbe.Tests.Shared;

/// <summary>
/// Marks tests that mostly wait, and whose result is the same whatever else runs in the process. They run first, beside one another. All
/// other classes then run one at a time, since they measure this process: its threads, its pool, its memory.
/// </summary>
[AttributeUsage(AttributeTargets.Class)]
internal sealed class SideBySideAttribute : Attribute;
