using System.Text.Json;
using static AsyncProbe.Analyzers.Tests.Reported;

namespace AsyncProbe.Analyzers.Tests;

public sealed class BlockedLineTests
{
    private const string Store = """
        using System.Threading.Tasks;
        class Store
        {
            void Load()
            {
                Task.Delay(1).Wait();
            }
        }
        """;

    [Fact]
    public async Task Line_IsWarnedAbout_WithWhatTheReportSays()
    {
        var warnings = await Compiled.From(Store).With(Server(Site("Store.Load", 6))).WarnAsync();

        var warning = warnings.ShouldHaveSingleItem();
        warning.ShouldStartWith("Store.cs:6 BlockingTaskWait GET /checkout ");
        warning.ShouldContain(" 4,310 times, 212 ms ");
    }

    [Fact]
    public async Task Line_IsWarnedAbout_WhenTheCommandSavedTheReport()
    {
        var saved = Server(Site("Store.Load", 6)).Replace("\"at\"", "\"method\"", StringComparison.Ordinal)
            .Replace("\"sites\":[{", "\"knownSites\":[{", StringComparison.Ordinal);

        (await Compiled.From(Store).With(saved).WarnAsync()).Count.ShouldBe(1);
    }

    [Fact]
    public async Task Line_IsNamedOnce_WhenTwoReportsHaveIt()
    {
        var warnings = await Compiled.From(Store)
            .With(Server(Site("Store.Load", 6, count: 1, mean: 100)))
            .With(Server(Site("Store.Load", 6, count: 3, mean: 20, endpoints: "GET /pay")), "/repo/other.json")
            .WarnAsync();

        var warning = warnings.ShouldHaveSingleItem();
        warning.ShouldStartWith("Store.cs:6 BlockingTaskWait GET /checkout, GET /pay ");
        warning.ShouldContain(" 4 times, 40.0 ms ");
    }

    // The first round watched 20 waits. The later ones watched none, and repeat the server's count until then.
    [Theory]
    [InlineData(false, "http://a/", " 20 times")]
    [InlineData(true, "http://a/", " 24 times")]
    [InlineData(true, "http://b/", " 44 times")]
    public async Task Line_CountsItsWaitsOnce_WhenLaterRoundsWatchedNone(bool isKnownBefore, string lastServer, string expected)
    {
        var saved = JsonSerializer.Serialize(new
        {
            schema = 1,
            rounds = new[] { Round("http://a/", 20, isKnownBefore), Round("http://a/", 20, true), Round(lastServer, 24, true) },
        });

        (await Compiled.From(Store).With(saved).WarnAsync()).ShouldHaveSingleItem().ShouldContain(expected);

        static object Round(string url, long count, bool earlier) => new
        {
            server = new { url, knownSites = new[] { Site("Store.Load", 6, count: count, earlier: earlier) } },
        };
    }

    [Theory]
    [InlineData("using System.IO;\n\n\n\n", "", 10)]
    [InlineData("", "int Other() => 1;\n\n", 8)]
    public async Task Line_IsFoundAgain_WhenLinesAboveChanged(string above, string before, int expected)
    {
        var moved = above + Store.Replace("    void Load", before + "    void Load", StringComparison.Ordinal);

        var warnings = await Compiled.From(moved).With(Server(Site("Store.Load", 6))).WarnAsync();

        warnings.Single().ShouldStartWith($"Store.cs:{expected} ");
    }

    [Theory]
    [InlineData("Task.Delay(1).Wait();", "_ = 1;")]
    [InlineData("void Load()\n    {\n        Task.Delay(1).Wait();", "async Task Load()\n    {\n        await Task.Delay(1);")]
    [InlineData("void Load", "void LoadAll")]
    [InlineData("class Store", "class Shop")]
    [InlineData("Task.Delay(1).Wait();", "new System.Threading.SemaphoreSlim(1).Wait();")]
    public async Task Analyzer_IsSilent_WhenTheCallIsGone(string old, string now)
    {
        var changed = Store.Replace(old, now, StringComparison.Ordinal);
        changed.ShouldNotBe(Store);

        (await Compiled.From(changed).With(Server(Site("Store.Load", 6, source: "Task.Delay(1).Wait();"))).WarnAsync()).ShouldBeEmpty();
    }

    [Fact]
    public async Task Analyzer_IsSilent_WhenSomebodyHasAllowedIt() =>
        (await Compiled.From(Store).With(Server(Site("Store.Load", 6, allowed: "at start only"))).WarnAsync()).ShouldBeEmpty();

    [Fact]
    public async Task Analyzer_IsSilent_WithoutReports() => (await Compiled.From(Store).WarnAsync()).ShouldBeEmpty();

    [Theory]
    [InlineData("212.1", false)]
    [InlineData("212", true)]
    [InlineData("many", true)]
    public async Task MinimumOption_HidesShorterWaits(string minimum, bool isShown)
    {
        var warnings = await Compiled.From(Store).With(Server(Site("Store.Load", 6))).Option(BlockedLineAnalyzer.MinimumOption, minimum)
            .WarnAsync();

        warnings.Any().ShouldBe(isShown);
    }

    [Theory]
    [InlineData("dotnet_diagnostic.BlockingTaskWait.severity = none", false)]
    [InlineData("dotnet_diagnostic.BlockingTaskWait.severity = error", true)]
    [InlineData("dotnet_diagnostic.BlockingLock.severity = none", true)]
    [InlineData("asyncprobe_minimum_ms = 500", false)]
    public async Task EditorConfig_DecidesWhatIsShown(string line, bool isShown)
    {
        var warnings = await Compiled.From(Store).With(Server(Site("Store.Load", 6))).EditorConfig($"[*.cs]\n{line}\n").WarnAsync();

        warnings.Any().ShouldBe(isShown);
    }

    [Fact]
    public async Task Line_IsFound_WhereTheFileWasMoved()
    {
        var warnings = await Compiled.From(Store, "/repo/src/Shop/Data/OrderStore.cs")
            .And("class Other { void Load() { System.Threading.Tasks.Task.Delay(1).Wait(); } }", "/repo/src/Shop/Other.cs")
            .With(Server(Site("Store.Load", 6, file: "Old/Store.cs"))).WarnAsync();

        warnings.Single().ShouldStartWith("OrderStore.cs:6 ");
    }

    [Fact]
    public async Task Line_IsFoundInItsOwnFile_WhenTypesHaveTheSameName()
    {
        var warnings = await Compiled.From("namespace A;\n" + Store, "/repo/A/Store.cs").And("namespace B;\n" + Store, "/repo/B/Store2.cs")
            .With(Server(Site("Store.Load", 7, file: "B/Store2.cs"))).WarnAsync();

        warnings.Single().ShouldStartWith("Store2.cs:7 ");
    }

    [Fact]
    public async Task Analyzer_IsSilent_WhenNobodyCanTellWhichOfTwoTypesItWas()
    {
        var warnings = await Compiled.From("namespace A;\n" + Store, "/repo/A/One.cs").And("namespace B;\n" + Store, "/repo/B/Two.cs")
            .With(Server(Site("Store.Load", 7, file: "Gone.cs"))).WarnAsync();

        warnings.ShouldBeEmpty();
    }
}
