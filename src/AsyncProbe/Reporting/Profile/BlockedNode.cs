using AsyncProbe.Common;

namespace AsyncProbe.Reporting.Profile;

/// <summary>A frame of a flame graph.</summary>
/// <param name="parent">The number of the frame that called it; null for an outermost one.</param>
/// <param name="frame">What it is.</param>
internal sealed class BlockedNode(int? parent, ProfileFrame frame)
{
    public int? Parent => parent;

    public ProfileFrame Frame => frame;

    /// <summary>With that of all beneath it.</summary>
    public Duration Blocked { get; set; }
}
