using AsyncProbe.Common;

namespace AsyncProbe.Tests.Common;

[Trait(Logic.Category, Logic.Name)]
public sealed class WordsTests
{
    [Theory]
    [InlineData(0, "0 ms")]
    [InlineData(0.123, "0.12 ms")]
    [InlineData(1.26, "1.3 ms")]
    [InlineData(12.6, "13 ms")]
    [InlineData(1_234.5, "1,235 ms")]
    [InlineData(12_345, "12.3 s")]
    [InlineData(1_234_567, "1,235 s")]
    public void Time_HasAUnit_AndNoMeaninglessDigits(double milliseconds, string expected) =>
        Words.Milliseconds(Duration.FromMilliseconds(milliseconds)).ShouldBe(expected);
}
