namespace AsyncProbe.Cli.Processes;

/// <summary>What the attached probe should do.</summary>
/// <param name="Keep">Whether it stays attached after the tool exits.</param>
/// <param name="Headers">Whether it writes the probe's response headers.</param>
/// <param name="Shared">Whether several processes use one folder, so that none of them removes it.</param>
/// <param name="WhenStarved">Whether it only watches the pool until it is starved.</param>
internal sealed record AttachSettings(bool Keep = false, bool Headers = false, bool Shared = false, bool WhenStarved = false)
{
    /// <summary>Asks for nothing.</summary>
    public static AttachSettings None { get; } = new(WhenStarved: true);

    /// <summary>The settings as the probe reads them.</summary>
    public IEnumerable<string> Words
    {
        get
        {
            (bool IsSet, string Word)[] all = [(Keep, "keep"), (Headers, "headers"), (Shared, "shared"), (WhenStarved, "when-starved")];
            return all.Where(setting => setting.IsSet).Select(setting => setting.Word);
        }
    }
}
