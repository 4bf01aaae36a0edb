namespace AsyncProbe.Cli.Processes;

/// <summary>What the attached probe should do.</summary>
/// <param name="Keep">Whether it stays attached after the tool exits.</param>
/// <param name="Headers">Whether it writes the probe's response headers.</param>
/// <param name="Shared">Whether several processes use one folder, so that none of them removes it.</param>
/// <param name="WhenStarved">Whether it only watches the pool until it is starved.</param>
internal sealed record AttachSettings(bool Keep = false, bool Headers = false, bool Shared = false, bool WhenStarved = false);
