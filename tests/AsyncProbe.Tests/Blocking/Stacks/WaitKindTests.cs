using System.Text.RegularExpressions;
using AsyncProbe.Blocking.Stacks;

namespace AsyncProbe.Tests.Blocking.Stacks;

public sealed partial class WaitKindTests
{
    [Fact]
    public async Task EveryKind_HasAnAnchorInTheDocs()
    {
        var docs = await File.ReadAllTextAsync(Path.Combine(Repository.Folder, WaitKinds.Docs));
        var anchors = Heading().Matches(docs).Select(m => WaitKinds.Docs + "#" + Anchor(m.Groups[1].Value.TrimEnd())).ToList();

        foreach (var kind in Enum.GetValues<WaitKind>().Where(k => k != WaitKind.Other))
        {
            anchors.ShouldContain(kind.Link(), $"the advice for {kind.Name()} would lead nowhere");
        }

        anchors.ShouldContain(WaitKinds.UnnamedLink);
        anchors.ShouldBeUnique();
    }

    [Fact]
    public void EveryKind_HasARemedy() =>
        Enum.GetValues<WaitKind>().ShouldAllBe(kind => kind.Remedy().Length > 10);

    // As Markdown viewers make it: lower case, without punctuation, spaces as dashes.
    private static string Anchor(string heading) => NotInAnchors().Replace(heading.ToLowerInvariant(), "").Replace(' ', '-');

    [GeneratedRegex("^## (.*)$", RegexOptions.Multiline)]
    private static partial Regex Heading();

    [GeneratedRegex(@"[^\w\- ]")]
    private static partial Regex NotInAnchors();
}
