namespace AsyncProbe.Attach;

/// <summary>
/// What a tool asks the probe to do. Every tool asks when it joins, and what one of them asks for holds until the probe leaves.
/// </summary>
/// <param name="IsKept">Whether the probe stays after the last tool has disconnected.</param>
/// <param name="HasHeaders">Whether responses have the probe's headers.</param>
/// <param name="WaitsForStarvation">Whether the tool needs measurements only once the pool is starved.</param>
internal sealed record ToolSettings(bool IsKept, bool HasHeaders, bool WaitsForStarvation)
{
    /// <param name="words">The names of the settings, and perhaps other words.</param>
    public static ToolSettings Read(IReadOnlyList<string> words) =>
        new(words.Contains("keep"), words.Contains("headers"), words.Contains("when-starved"));
}
