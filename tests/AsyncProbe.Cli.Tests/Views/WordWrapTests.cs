using AsyncProbe.Cli.Views;

namespace AsyncProbe.Cli.Tests.Views;

public class WordWrapTests
{
    [Theory]
    [InlineData("one two three", 20, "one two three")]
    [InlineData("one two three", 13, "one two three")]
    [InlineData("one two three", 12, "one two|three")]
    [InlineData("one two three", 8, "one two|three")]
    [InlineData("one two three", 7, "one two|three")]
    [InlineData("one two three", 3, "one|two|three")]
    [InlineData("one two three", 0, "one two three")]
    [InlineData("http://127.0.0.1:5080/x answers 404", 10, "http://127.0.0.1:5080/x|answers|404")]
    [InlineData("http://127.0.0.1:5080/x", 10, "http://127.0.0.1:5080/x")]
    [InlineData("  indented text", 10, "  indented|text")]
    [InlineData("short|a longer line", 8, "short|a longer|line")]
    public void LongLine_IsBrokenBetweenWords(string text, int width, string lines) =>
        WordWrap.Apply(text.Replace('|', '\n'), width).ShouldBe(lines.Replace('|', '\n'));

    [Fact]
    public void Rest_IsIndented_AndFitsTheWidth() =>
        WordWrap.Apply("  one two three four", 9, indent: 4).ShouldBe("  one two\n    three\n    four");
}
