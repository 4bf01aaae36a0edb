using System.Reflection;
using AsyncProbe.Cli.Commands;

namespace AsyncProbe.Cli.Tests.House;

public class NameTests
{
    private const string Root = "AsyncProbe.Cli";

    private static readonly Assembly s_command = typeof(CommandLine).Assembly;

    [Fact]
    public void NoType_NorMember_HasAnOldName() => NameFinder.FindWords(
        s_command, Root, "Oddity", "Oddities", "TimeFigures", "ThinPercentiles", "Thin", "Patience", "Patiently", "Tell", "Told", "Story",
        "RunVerdict", "ServerShare",
        "(?<![Ss]tandard)Deviation", "Waiting").ShouldBeEmpty();

    [Fact]
    public void NoMethod_IsCalledOf() => NameFinder.FindMethods(s_command, Root, "Of").ShouldBeEmpty();

    [Theory]
    [InlineData("Oddity", true)]
    [InlineData("Oddi", false)]
    [InlineData("Patience", true)]
    [InlineData("pause", true)]
    [InlineData("Long", true)]
    [InlineData("Tell", false)]
    public void Finder_FindsWholeWords_OfTypesMembersAndParameters(string word, bool found) =>
        NameFinder.FindWords(typeof(NameTests).Assembly, "AsyncProbe.Cli.Tests.House.Samples", word).Any().ShouldBe(found);
}
