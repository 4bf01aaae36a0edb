using AsyncProbe.Cli.Load;
using AsyncProbe.Cli.Runs;
using AsyncProbe.Cli.Sessions;

namespace AsyncProbe.Cli.Tests.Runs;

[Trait("Category", "Logic")]
public class RunWarningsTests
{
    private static readonly RunResult s_good = Facts.Run(100);

    [Fact]
    public void GoodRun_HasNone() => RunWarnings.Find(s_good).ShouldBeEmpty();

    [Fact]
    public void Failures_AreAWarning_WhenMostFailed_ButNotInOnePass()
    {
        var half = s_good with { Total = s_good.Total with { Failed = 500 } };
        var most = s_good with { Total = s_good.Total with { Failed = 501 } };

        RunWarnings.Find(half).ShouldBeEmpty();
        RunWarnings.Find(most).ShouldHaveSingleItem().Kind.ShouldBe(RunWarningKind.MostlyFailed);
        RunWarnings.Find(most with { Load = most.Load with { Model = LoadShape.OncePass } }).ShouldBeEmpty();
        // If no request succeeded, there are no times to warn about.
        RunWarnings.Find(s_good with { Total = s_good.Total with { Failed = 1000 } }).ShouldBeEmpty();
    }

    [Fact]
    public void Client_IsAWarning_WhenItWasTheLimit() =>
        RunWarnings.Find(s_good with { Client = new ClientFigures { Limits = ["one", "two"] } }).ShouldHaveSingleItem().Text
            .ShouldBe("Client-limited: one; two. The figures may show the limit of this tool and not the server's.");

    [Fact]
    public void Run_IsAWarning_WhenItWasShorterThanItsRequests() =>
        RunWarnings.Find(s_good with { Load = s_good.Load with { ShorterThanRequests = true, WaitedSeconds = 1.25 } })
            .ShouldHaveSingleItem()
            .ShouldSatisfyAllConditions(
                warning => warning.Kind.ShouldBe(RunWarningKind.ShorterThanRequests),
                warning => warning.Text.ShouldBe("Run too short for these response times; results include warm-up. Increase -s."));

    [Theory]
    [InlineData(0, 1000, false)]
    [InlineData(1, 40, false)]
    [InlineData(1, 41, true)]
    public void Unanswered_AreAWarning_WhenTheyWaitedForTwiceTheMedian(int unanswered, double oldestMs, bool warns) =>
        RunWarnings.Find(
            s_good with { Unanswered = unanswered, UnansweredOldestMs = oldestMs,
                Total = s_good.Total with { TimeMs = s_good.Total.TimeMs! with { P50Ms = 20 } } })
            .Any(warning => warning.Kind == RunWarningKind.Unanswered).ShouldBe(warns);

    [Theory]
    [InlineData(105.2, false, false)]
    [InlineData(105.4, false, true)]
    [InlineData(105.4, true, false)]
    public void Server_FellBehind_BelowNineteenTwentiethsOfThePlan(double planned, bool interrupted, bool warns) =>
        RunWarnings.Find(s_good with { Interrupted = interrupted, Load = s_good.Load with { PlannedPerSecond = planned } })
            .Any(warning => warning.Kind == RunWarningKind.FellBehind).ShouldBe(warns);

    [Fact]
    public void Unanswered_SayHowLongTheOldestWaited() =>
        RunWarnings.Find(s_good with { Unanswered = 1200, UnansweredOldestMs = 2345 }).Single().Text.ShouldStartWith(
            "1,200 requests were still unanswered at the end, the oldest after 2.3 s.");

    [Fact]
    public void Server_KeptUp_AtNineteenTwentiethsOfThePlan() =>
        RunWarnings.Find(
            s_good with { Total = s_good.Total with { RequestsPerSecond = 95 }, Load = s_good.Load with { PlannedPerSecond = 100 } })
            .ShouldBeEmpty();

    [Fact]
    public void MostlyFailed_NamesTheReasons() =>
        RunWarnings.MostlyFailed(s_good with { Total = s_good.Total with { FailureReasons = new Dictionary<string, long> { ["no"] = 1000,
            ["late"] = 2 } } }).ToString(System.Globalization.CultureInfo.InvariantCulture).ShouldContain("(1,000 × no, 2 × late)");

    [Fact]
    public void Differences_AreThoseOfTheSession()
    {
        var session = SessionReader.Read("GET http://x/ HTTP/1.1\nWebSurge-Request-CaptureAndSetAuthorizationBearerTokenFromJson: "
            + "t\n\n-----\n\n"
            + "----- Start WebSurge Options -----\n{ \"Username\": \"u\", \"ReplaceAuthorization\": \"Bearer t\", \"Users\": [ { "
            + "\"LoginUrls\": [ { \"Url\": \"http://x/\" } ] } ] }\n----- End WebSurge Options -----\n", "s.websurge");

        var closed = WebSurgeDifferences.Find(PreparedSession.Create(session, new LoadSettings { Randomize = true }));
        var open = WebSurgeDifferences.Find(PreparedSession.Create(session, new LoadSettings { Rate = 5, Cookies = false }));
        var url = WebSurgeDifferences.Find(
            PreparedSession.Create(
                new Session { Source = "http://x/", Requests = [new() { Verb = "GET", Url = "http://x/" }] }, new LoadSettings()));

        closed.Count.ShouldBe(8);
        open.Count.ShouldBe(7);
        open.ShouldContain(difference => difference.StartsWith("Requests start at planned times"));
        url.ShouldBeEmpty();
    }
}
