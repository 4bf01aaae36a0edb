namespace AsyncProbe.Cli.Server;

/// <summary>The formats in which the server provides blocked time by stack, with their file name endings.</summary>
internal sealed record ProfileFormat(string Name, string Ending)
{
    public static IReadOnlyList<ProfileFormat> All { get; } = [new("speedscope", ".speedscope.json"), new("collapsed", ".collapsed")];

    public bool IsJson => Ending.EndsWith(".json", StringComparison.Ordinal);

    /// <summary>Null when the file is not a profile.</summary>
    public static ProfileFormat? Find(string file) =>
        All.FirstOrDefault(format => file.EndsWith(format.Ending, StringComparison.OrdinalIgnoreCase));
}
