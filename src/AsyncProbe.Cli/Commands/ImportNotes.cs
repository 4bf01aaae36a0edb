using System.Text.RegularExpressions;
using AsyncProbe.Cli.Sessions;

namespace AsyncProbe.Cli.Commands;

/// <summary>
/// What <c>import</c> says about a document. A note that applies in many places is printed once, with their number. The number of notes is
/// limited, because a browser's capture has hundreds of them.
/// </summary>
internal static partial class ImportNotes
{
    private const int MostNotes = 10;
    private const int MostOthers = 50;

    public static IEnumerable<string> Describe(Session session)
    {
        var groups = session.Diagnostics.GroupBy(diagnostic => (diagnostic.Severity, Message: JsonPath().Replace(diagnostic.Message, "")))
            .ToList();
        var (notes, others) = (groups.FindAll(group => group.Key.Severity == Severity.Note),
            groups.FindAll(group => group.Key.Severity != Severity.Note));
        foreach (var group in others.Take(MostOthers).Concat(notes.Take(MostNotes)))
        {
            var more = group.Count() - 1;
            yield return group.First().Describe(session.Source) + (more == 0 ? "" : $" ({more} more like this)");
        }

        var left = Math.Max(0, others.Count - MostOthers) + Math.Max(0, notes.Count - MostNotes);
        if (left > 0)
        {
            yield return $"{left} more: asyncprobe check {session.Source} shows all.";
        }
    }

    /// <summary>The start of a message about JSON.</summary>
    [GeneratedRegex(@"^\$\S*: ")]
    private static partial Regex JsonPath();
}
