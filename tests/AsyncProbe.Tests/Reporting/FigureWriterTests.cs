using System.Text;
using AsyncProbe.Reporting.Json;

namespace AsyncProbe.Tests.Reporting;

public sealed class FigureWriterTests
{
    [Theory]
    [InlineData(0L, "0")]
    [InlineData(499L, "0")]
    [InlineData(1_000L, "0.001")]
    [InlineData(1_500_000L, "1.5")]
    [InlineData(270_273_400L, "270.273")]
    [InlineData(10_656_420_499L, "10656.42")]
    [InlineData(60_010_000L, "60.01")]
    [InlineData(9_000_000_000_000_000_000L, "9000000000000")]
    [InlineData(null, "null")]
    public void Milliseconds_HaveThreePlaces_AndNoZerosAtTheEnd(long? nanoseconds, string expected)
    {
        var text = new FigureWriter(stackalloc byte[40]);
        text.Milliseconds("a"u8, nanoseconds?.Ns());

        Encoding.ASCII.GetString(text.Text).ShouldBe("a" + expected);
    }

    [Theory]
    [InlineData(7.24, "7.2")]
    [InlineData(559.96, "560")]
    [InlineData(0.04, "0")]
    [InlineData(null, "null")]
    public void Tenths_HaveOnePlace(double? value, string expected)
    {
        var text = new FigureWriter(stackalloc byte[40]);
        text.Tenths("a"u8, value);

        Encoding.ASCII.GetString(text.Text).ShouldBe("a" + expected);
    }

    [Fact]
    public void Time_IsUtc_ToTheMillisecond()
    {
        var text = new FigureWriter(stackalloc byte[40]);
        text.Time("a"u8, new DateTime(2026, 1, 31, 12, 34, 56, 789, DateTimeKind.Utc).AddTicks(1234));

        Encoding.ASCII.GetString(text.Text).ShouldBe("a\"2026-01-31T12:34:56.789Z\"");
    }
}
