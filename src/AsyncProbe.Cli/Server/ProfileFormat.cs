namespace AsyncProbe.Cli.Server;

/// <summary>The forms in which the server gives blocked time by stack, each with its ending.</summary>
internal sealed record ProfileFormat(string Name, string Ending)
{
    public static IReadOnlyList<ProfileFormat> All { get; } = [new("speedscope", ".speedscope.json"), new("collapsed", ".collapsed")];

    public bool IsJson => Ending.EndsWith(".json", StringComparison.Ordinal);

    /// <summary>Null when the file is no profile.</summary>
    public static ProfileFormat? Find(string file) =>
        All.FirstOrDefault(format => file.EndsWith(format.Ending, StringComparison.OrdinalIgnoreCase));
}
