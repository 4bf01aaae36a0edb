namespace AsyncProbe.Tests.House;

public sealed class ApprovedTextsTests
{
    [Fact]
    public void Diff_ShowsWhatChanged_BelowItsCase() =>
        DiffComparer.Diff(
                "first\n    Same.\n\nsecond\n    Old words.\n    Same.\n\nthird\n    Gone.\n",
                "first\n    Same.\n\nsecond\n    New words.\n    Same.\n\nfourth\n    Added.\n")
            .Split('\n').ShouldBe(
                ["  second", "-     Old words.", "+     New words.", "- third", "-     Gone.", "+ fourth", "+     Added."], ignoreOrder: true);

    [Fact]
    public void Texts_WithoutAFile_FailAndWriteNone()
    {
        var texts = new ApprovedTexts("AsyncProbe.Tests/House/Missing");
        texts.Add("case", "A sentence.");

        var message = Should.Throw<ShouldAssertException>(texts.ShouldBeApproved).Message;

        message.ShouldContain("+     A sentence.");
        message.ShouldContain("tests/accept");
        File.Exists(Path.Combine(Repository.Folder, "tests/AsyncProbe.Tests/House/Missing.approved.txt")).ShouldBeFalse();
    }
}
