using System.Reflection;

namespace AsyncProbe;

/// <summary>One frame of a <see cref="StackSample"/>.</summary>
public readonly struct SampledFrame
{
    private readonly int _offsetPlusOne;

    /// <summary>The method; for a generic method, its definition.</summary>
    public required MethodBase Method { get; init; }

    /// <summary>The offset of the instruction in the method's IL. Default -1: unknown.</summary>
    public int IlOffset
    {
        get => _offsetPlusOne - 1;
        init => _offsetPlusOne = value + 1;
    }
}
