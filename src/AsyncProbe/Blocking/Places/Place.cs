using System.Reflection;
using AsyncProbe.Blocking.Code;
using AsyncProbe.Blocking.Methods;
using AsyncProbe.Blocking.Sources;
using AsyncProbe.Blocking.Stacks;

namespace AsyncProbe.Blocking.Places;

/// <summary>Where a wait may be.</summary>
/// <param name="Method">The method on the stack, or one that was inlined into it.</param>
/// <param name="IlOffset">The offset of the call; <see cref="SiteFrame.Unknown"/> when only the method is known.</param>
/// <param name="LineOffset">The place that has the call's line.</param>
internal readonly record struct Place(MethodBase Method, int IlOffset, int LineOffset)
{
    public Place(MethodBase method, int ilOffset)
        : this(method, ilOffset, Handlers.PlaceWithALine(method, ilOffset))
    {
    }

    /// <summary>Whether the method is only the best guess. If so, none of its lines may be shown.</summary>
    public bool IsGuess { get; init; }

    /// <summary>Whether the method doesn't wait itself, but a method that was inlined into it.</summary>
    public bool IsCaller { get; init; }

    /// <summary>The frame beneath the place, if it is another one than the stack shows.</summary>
    public FrameInfo? Beneath { get; init; }

    public int? Line => SourceLines.Find(Method, LineOffset)?.Line;
}
