using System.Diagnostics;
using System.Globalization;
using System.Text;
using AsyncProbe.Analyzers.Reports;
using Xunit.Abstractions;

namespace AsyncProbe.Analyzers.Tests;

/// <summary>
/// Reports made to hang a build, each within the reader's limits. The first two took 28 s and more than a minute when the endpoints of a
/// line were merged two lists at a time.
/// </summary>
public sealed class LargeReportTests(ITestOutputHelper output)
{
    private const string Store = "using System.Threading.Tasks;\nclass Store { void Load() {\nTask.Delay(1).Wait();\n} }";
    private const int Sites = ReportReader.MostSites;

    [Theory]
    [InlineData(5)]
    [InlineData(95)]
    public async Task EndpointsOfOneLine_AreReadOnce_HoweverMany(int each)
    {
        var report = OneLine(each);

        var warning = (await TimedAsync(Compiled.From(Store).With(report), report)).Single();

        warning.ShouldStartWith("Store.cs:3 BlockingTaskWait GET /0/0");
        warning.ShouldContain($" at least {EndpointNames.MostCounted - EndpointNames.MostShown} more ");
        warning.ShouldContain(" 10,000 times");
    }

    [Fact]
    public async Task LinesOfOneMethod_AreMatched_HoweverMany()
    {
        var lines = new StringBuilder("using System.Threading.Tasks;\nclass Store { void Load() {\n");
        for (var i = 0; i < 3000; i++)
        {
            lines.Append(CultureInfo.InvariantCulture, $"Task.Delay({i}).Wait();\n");
        }

        var report = Many(i => $$"""{"kind":"Task.Wait","at":"Store.Load","line":{{i + 5000}},"awaitable":"await","source":"nowhere{{i}}","count":1}""");

        var warnings = await TimedAsync(Compiled.From(lines.Append("} }").ToString()).With(report), report);

        warnings.Count.ShouldBeInRange(1, 3000);
    }

    [Fact]
    public async Task MethodsThatExistNowhere_AreLookedForOnce_HoweverMany()
    {
        var source = new StringBuilder(Store);
        for (var i = 0; i < 3000; i++)
        {
            source.Append(CultureInfo.InvariantCulture, $"\nclass T{i} {{ class Inner {{ void M() {{ }} }} }}");
        }

        var report = Many(i => $$"""{"kind":"Task.Wait","at":"{{string.Join('.', Enumerable.Range(i, 40).Select(n => $"N{n}"))}}.M","line":1,"count":1}""");

        (await TimedAsync(Compiled.From(source.ToString()).With(report), report)).ShouldBeEmpty();
    }

    [Fact]
    public void Cancellation_EndsTheReading() =>
        Should.Throw<OperationCanceledException>(
            () => ReportReader.Read("a.asyncprobe.json", OneLine(1), new CancellationToken(canceled: true)));

    [Theory]
    [InlineData("1e300")]
    [InlineData("-5")]
    [InlineData("1e999")]
    public async Task Number_ThatIsNoMeasurement_IsLeftOut(string mean)
    {
        var report = $$"""
            {"schema":1,"sites":[{"kind":"Task.Wait","at":"Store.Load","line":3,"awaitable":"await","count":2,
            "endpoints":["GET /a"],"meanMs":{{mean}}}]}
            """;

        var warning = (await Compiled.From(Store).With(report).WarnAsync()).Single();

        warning.ShouldContain(" 2 times");
        warning.ShouldNotContain(" ms ");
    }

    [Fact]
    public async Task Counts_DoNotOverflow()
    {
        var report = Many(_ => """{"kind":"Task.Wait","at":"Store.Load","line":3,"awaitable":"await","count":999999999999,"endpoints":["GET /a"]}""");

        (await Compiled.From(Store).With(report).WarnAsync()).Single().ShouldContain(" 9,999,999,999,990,000 times");
    }

    [Fact]
    public async Task InvisibleCharacters_TurnNothingAround()
    {
        var report = """{"schema":1,"sites":[{"kind":"Lock","at":"Store.Load","line":3,"awaitable":"await","count":1,"endpoints":["a\u202Eb\u2028c\uDB40\uDC41d\uD800"]}]}""";

        (await Compiled.From(Store.Replace("Task.Delay(1).Wait()", "lock (this) { }", StringComparison.Ordinal)).With(report).WarnAsync())
            .Single().ShouldContain(" a b c d  blocked ");
    }

    private async Task<IReadOnlyList<string>> TimedAsync(Compiled compiled, string report)
    {
        var clock = Stopwatch.StartNew();
        var warnings = await compiled.WarnAsync();
        output.WriteLine($"{report.Length / 1e6:0.00} MB: {clock.Elapsed.TotalSeconds:0.0} s");
        return warnings;
    }

    /// <summary>All sites are on the same line, and each has its own endpoints.</summary>
    private static string OneLine(int each) => Many(i =>
    {
        var endpoints = string.Join(',', Enumerable.Range(0, each).Select(n => $"\"GET /{i}/{n}\""));
        return $$"""{"kind":"Task.Wait","at":"Store.Load","line":3,"awaitable":"await","count":1,"endpoints":[{{endpoints}}]}""";
    });

    private static string Many(Func<int, string> site)
    {
        var report = new StringBuilder("{\"schema\":1,\"sites\":[");
        for (var i = 0; i < Sites; i++)
        {
            report.Append(i == 0 ? "" : ",").Append(site(i));
        }

        return report.Append("]}").ToString();
    }
}
