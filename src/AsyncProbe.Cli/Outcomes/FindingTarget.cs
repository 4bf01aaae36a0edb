using AsyncProbe.Cli.Joining;
using AsyncProbe.Cli.Sites;
using AsyncProbe.Cli.Views;

namespace AsyncProbe.Cli.Outcomes;

/// <summary>Finds the lines that blocked in the sources, and annotates them if asked to.</summary>
/// <param name="Annotate">Whether to print workflow commands.</param>
/// <param name="Sources">Where the server's sources are; null for the working directory's repository.</param>
internal sealed record FindingTarget(bool Annotate, string? Sources)
{
    private const int MostNamed = 3;

    /// <summary>Creates findings from what the servers know; logs what could not be found.</summary>
    public IReadOnlyList<Finding> Find(IReadOnlyList<ServerSide> servers, TextWriter messages)
    {
        var paths = Sources is null ? SourcePaths.ScanRepository(Directory.GetCurrentDirectory()) : SourcePaths.ScanFolder(Sources);
        var findings = Findings.From(servers, paths.Find);
        if (paths.NotFound.Count > 0)
        {
            messages.WriteLine(
                $"Not found, or more than once: {string.Join(", ", paths.NotFound.Take(MostNamed))}. "
                + "Such paths are as the server names them; --sources FOLDER says where its sources are.");
        }

        if (Findings.CountWithoutLine(servers) is > 0 and var without)
        {
            messages.WriteLine($"{without} of the call sites have no line, because the server has no symbols of them (.pdb files).");
        }

        return findings;
    }

    /// <summary>Prints one annotation per line, regardless of the terminal's width.</summary>
    public static void Print(IReadOnlyList<Finding> findings, TextWriter writer)
    {
        foreach (var line in GithubAnnotations.Create(findings))
        {
            writer.WriteLine(line);
        }
    }
}
