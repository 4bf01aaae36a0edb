using AsyncProbe.Common;

namespace AsyncProbe.Reporting.Profile;

/// <summary>A frame of a flame graph.</summary>
/// <param name="parent">The index of the frame that called this one; null for an outermost frame.</param>
/// <param name="frame">The frame to show.</param>
internal sealed class BlockedNode(int? parent, ProfileFrame frame)
{
    public int? Parent => parent;

    public ProfileFrame Frame => frame;

    /// <summary>The blocked time, including that of all frames beneath it.</summary>
    public Duration Blocked { get; set; }
}
