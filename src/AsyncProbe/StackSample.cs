using System.Reflection;

namespace AsyncProbe;

/// <summary>Where a thread is, told by an <see cref="IStackSource"/>.</summary>
/// <param name="OsThreadId">The operating system's id of the thread.</param>
/// <param name="Places">Its frames, innermost first; those without a method are left out.</param>
public sealed record StackSample(int OsThreadId, IReadOnlyList<StackPlace> Places);

/// <summary>A place in a method.</summary>
/// <param name="Method">The method; of a generic one, its definition.</param>
/// <param name="IlOffset">The offset of the instruction in its code; -1 when not known.</param>
public readonly record struct StackPlace(MethodBase Method, int IlOffset);
