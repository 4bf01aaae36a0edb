using System.Text;
using Snapshooter;
using Snapshooter.Core;
using Snapshooter.Core.Serialization;

namespace AsyncProbe.Tests.Shared;

/// <summary>
/// All texts of one subject, such as the advice, each with the case it is for. They are compared with a file next to the tests, so that
/// changing a sentence means reviewing a diff and not editing assertions. CONTRIBUTING.md says how to accept a change.
/// </summary>
/// <param name="subject">The file's path within the tests folder, without its extension.</param>
internal sealed class ApprovedTexts(string subject)
{
    /// <summary>The category of the tests that <c>tests/accept</c> runs.</summary>
    public const string Category = "Texts";

    private readonly StringBuilder _texts = new();

    /// <summary>Whether the files are written instead of compared. Never in CI.</summary>
    public static bool IsAccepting =>
        Environment.GetEnvironmentVariable("ASYNCPROBE_ACCEPT_TEXTS") == "1" && Environment.GetEnvironmentVariable("CI") != "true";

    /// <summary>Adds a text under the name of its case.</summary>
    public void Add(string name, string text) => _texts.Append(_texts.Length == 0 ? "" : "\n")
        .Append(name).Append('\n')
        .Append(string.Concat(text.TrimEnd().ReplaceLineEndings("\n").Split('\n').Select(line => $"    {line}".TrimEnd() + '\n')));

    public void ShouldBeApproved()
    {
        var serializer = new SnapshotSerializer(new GlobalSnapshotSettingsResolver());
        var files = new ApprovedFiles();
        new SnapshotAssert(
                serializer, files, new SnapshotEnvironmentCleaner(files), new DiffComparer(subject), new JsonSnapshotFormatter(serializer))
            .AssertSnapshot(_texts.ToString(), ApprovedFiles.Name(subject), new MatchOptions());
    }
}
