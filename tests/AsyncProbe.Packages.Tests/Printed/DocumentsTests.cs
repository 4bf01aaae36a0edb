using System.Text.RegularExpressions;

namespace AsyncProbe.Packages.Tests.Printed;

/// <summary>Keeps the documents and the commands that the tests run in step.</summary>
public sealed partial class DocumentsTests
{
    [Fact]
    public void Command_IsRun_OrIsListedWithAReason() =>
        DocumentedCommands.Of().Where(command => !Journeys.All.Contains(command) && !IsExcepted(command)).ShouldBeEmpty(
            "a document prints these commands: run them in Journeys, or list them in DocumentedCommands.Exceptions with the reason");

    [Fact]
    public void Command_IsPrintedInADocument_WhenItIsRunOrListed()
    {
        var printed = DocumentedCommands.Of();

        Journeys.All.Where(command => !printed.Contains(command)).ShouldBeEmpty();
        DocumentedCommands.Exceptions.Where(e => !printed.Any(p => p.StartsWith(e.Command, StringComparison.Ordinal))).ShouldBeEmpty();
    }

    [Fact]
    public void Block_SaysItsLanguage_SoThatNoCommandIsOverlooked()
    {
        Documents.Blocks().Where(block => block.Language.Length == 0).ShouldBeEmpty("mark them sh, console, text, json, csharp, …");
        Documents.Paths.Where(document => IndentedCommand().IsMatch(WithoutBlocks(document)))
            .ShouldBeEmpty("put commands into a block marked sh");
    }

    private static bool IsExcepted(string command) =>
        DocumentedCommands.Exceptions.Any(e => command.StartsWith(e.Command, StringComparison.Ordinal));

    private static string WithoutBlocks(string document) =>
        Documents.Blocks(document)
            .Aggregate(Documents.Read(document), (text, block) => text.Replace(block.Text, "", StringComparison.Ordinal));

    [GeneratedRegex("^    (\\$ |dotnet |asyncprobe |curl |make |docker |npm )", RegexOptions.Multiline)]
    private static partial Regex IndentedCommand();
}
