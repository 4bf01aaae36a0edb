using AsyncProbe.Cli.Load;
using AsyncProbe.Cli.Runs;
using AsyncProbe.Cli.Sessions;

namespace AsyncProbe.Cli.Tests.Runs;

[Trait("Category", "Logic")]
[Trait("Category", ApprovedTexts.Category)]
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
            .ShouldContain("one; two");

    [Fact]
    public void Run_IsAWarning_WhenItWasShorterThanItsRequests() =>
        RunWarnings.Find(s_good with { Load = s_good.Load with { ShorterThanRequests = true, WaitedSeconds = 1.25 } })
            .ShouldHaveSingleItem()
            .ShouldSatisfyAllConditions(
                warning => warning.Kind.ShouldBe(RunWarningKind.ShorterThanRequests),
                warning => warning.Text.ShouldContain("-s"));

    [Theory]
    [InlineData(0, 1000, true, false)]
    [InlineData(1, 40, true, false)]
    [InlineData(1, 41, true, true)]
    [InlineData(0, 1000, false, false)]
    [InlineData(1, 40, false, true)]
    public void Unanswered_AreAWarning_AtTheEndOrWhenTheyWaitedForTwiceTheMedian(
        int unanswered, double oldestMs, bool interrupted, bool warns) =>
        RunWarnings.Find(
            s_good with { Interrupted = interrupted, Unanswered = unanswered, UnansweredOldestMs = oldestMs,
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
        RunWarnings.Find(s_good with { Unanswered = 1200, UnansweredOldestMs = 2345 }).Single().Text.ShouldMatch(@"1,200 .* 2\.3 s");

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
    public void Warnings_ReadAsApproved()
    {
        var texts = new ApprovedTexts("AsyncProbe.Cli.Tests/Runs/Warnings");
        Add("most requests failed", s_good with { Total = s_good.Total with { Failed = 600,
            FailureReasons = new Dictionary<string, long> { ["connection refused"] = 600 } } });
        Add("the client was the limit", s_good with { Client = new ClientFigures { Limits = ["one", "two"] } });
        Add("shorter than its requests", s_good with { Load = s_good.Load with { ShorterThanRequests = true, WaitedSeconds = 1.25 } });
        Add("the server fell behind", s_good with { Load = s_good.Load with { PlannedPerSecond = 200 } });
        Add("unanswered requests", s_good with { Unanswered = 1200, UnansweredOldestMs = 2345 });
        texts.ShouldBeApproved();

        void Add(string name, RunResult run) => texts.Add(name, RunWarnings.Find(run).ShouldHaveSingleItem().Text);
    }

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
        open.ShouldNotBe(closed);
        var texts = new ApprovedTexts("AsyncProbe.Cli.Tests/Runs/WebSurgeDifferences");
        texts.Add("closed model", string.Join('\n', closed));
        texts.Add("open model", string.Join('\n', open));
        texts.ShouldBeApproved();
        url.ShouldBeEmpty();
    }
}
