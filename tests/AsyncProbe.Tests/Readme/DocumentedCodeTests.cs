namespace AsyncProbe.Tests.Readme;

[SideBySide]
public sealed class DocumentedCodeTests
{
    [Fact]
    public void Documents_ShowOnlyCodeThatCompiles()
    {
        var blocks = Documents.Blocks().Where(block => block.Language == "csharp").ToList();

        blocks.Count(block => block.Document == "README.md").ShouldBeGreaterThanOrEqualTo(2);
        blocks.SelectMany(block => DocumentedCode.Errors(block.Text).Select(error => $"{block.Document}: {error}\n{block.Text}"))
            .ShouldBeEmpty();
    }

    [Fact]
    public void Example_IsRefused_WhenItLacksAUsing() =>
        DocumentedCode.Errors("public class Legacy { [AllowBlocking(\"old\")] public void Print() { } }").ShouldNotBeEmpty();
}
