using DiffPlex.DiffBuilder;
using DiffPlex.DiffBuilder.Model;
using Snapshooter;
using Snapshooter.Core;

namespace AsyncProbe.Tests.Shared;

/// <summary>Fails with the lines that differ, each below the case it belongs to, and says how to accept them.</summary>
internal sealed class DiffComparer(string subject) : ISnapshotComparer
{
    public void CompareSnapshots(string expectedSnapshot, string actualSnapshot, MatchOptions matchOptions)
    {
        if (Diff(expectedSnapshot, actualSnapshot) is { Length: > 0 } diff)
        {
            throw new ShouldAssertException($"""
                The texts are not those of tests/{subject}.approved.txt (- approved, + now):
                {diff}
                If the change is meant, run tests/accept, read git diff, and commit the file.
                """);
        }
    }

    internal static string Diff(string approved, string now)
    {
        List<string> lines = [];
        var (name, shown) = ("", "");
        foreach (var line in InlineDiffBuilder.Diff(approved.ReplaceLineEndings("\n"), now.ReplaceLineEndings("\n")).Lines)
        {
            var isName = line.Text.Length > 0 && line.Text[0] != ' ';
            name = isName ? line.Text : name;
            if (line.Type == ChangeType.Unchanged || line.Text.Length == 0)
            {
                continue;
            }

            if (!isName && shown != name)
            {
                lines.Add($"  {name}");
            }

            shown = name;
            lines.Add($"{(line.Type == ChangeType.Deleted ? '-' : '+')} {line.Text}");
        }

        return string.Join('\n', lines);
    }
}
