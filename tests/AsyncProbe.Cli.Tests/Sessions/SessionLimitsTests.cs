using System.Text;
using AsyncProbe.Cli.Load;
using AsyncProbe.Cli.Sessions;

namespace AsyncProbe.Cli.Tests.Sessions;

public class SessionLimitsTests
{
    private const string Get = "GET http://localhost/ HTTP/1.1\n\n-----\n\n";

    public static IEnumerable<object[]> Limits => SessionLimits.OfOptions.Select(pair => new object[] { pair.Key, pair.Value });

    [Theory]
    [MemberData(nameof(Limits))]
    public void Option_IsAnError_AboveItsLimit_AndNoneAtIt(string option, int most)
    {
        Read($"{{ \"{option}\": {most} }}").Errors.ShouldBeEmpty();

        foreach (var value in (string[])[$"{most + 1L}", "2000000000", "1e300", "\"99999999999\""])
        {
            var error = Read($"{{\n\n\"{option}\": {value} }}").Errors.ShouldHaveSingleItem();
            error.Message.ShouldStartWith($"{option} is ");
            error.Message.ShouldEndWith($"; the most is {most.ToString("N0", System.Globalization.CultureInfo.InvariantCulture)}.");
            error.Line.ShouldBe(8);
        }
    }

    [Fact]
    public async Task Run_RefusesWithASentence_WhenTheFileOrTheCommandLineAsksForTooMuch()
    {
        using var folder = new TemporaryFolder();
        var session = folder.Write("huge.websurge", Get + Options("{ \"LastThreads\": 2000000000 }"));

        (await Refused(session)).ShouldContain("LastThreads is 2,000,000,000; the most is 10,000.");
        (await Refused("http://localhost:1/", "-t", "2000000000")).ShouldContain("--threads is 2,000,000,000; it must be 1 to 10,000.");
        (await Refused("http://localhost:1/", "-s", "0")).ShouldContain("--seconds is 0; it must be 1 to 604,800.");
        (await Refused("http://localhost:1/", "-w", "-1")).ShouldContain("--warmup is -1; it must be 0 to 86,400.");
        (await Refused("http://localhost:1/", "--delay", "86400001")).ShouldContain("--delay is 86,400,001; it must be 0 to 86,400,000.");

        static async Task<string> Refused(params string[] arguments)
        {
            var tool = await Tool.RunAsync(["run", .. arguments]);
            tool.ExitCode.ShouldBe(2, tool.Messages);
            return tool.Messages;
        }
    }

    [Fact]
    public void Session_IsAnError_WithTooManyRequests()
    {
        Session(10_000).Errors.ShouldBeEmpty();
        Session(10_001).Errors.ShouldHaveSingleItem().Message.ShouldMatch(" 10,001 .* 10,000");

        static Session Session(int requests) => SessionReader.Read(string.Concat(Enumerable.Repeat(Get, requests)), "many.websurge");
    }

    [Fact]
    public void Session_IsAnError_WithTooManyUsersOrOrders()
    {
        Session("\"Users\": [" + string.Join(',', Enumerable.Repeat("{}", 1001)) + "]").Errors.ShouldHaveSingleItem()
            .Message.ShouldMatch(" 1,000 .* 1,001 users.* 1,000,000 ");
        Session("\"RandomizeRequests\": true, \"LastThreads\": 1001").Errors.ShouldHaveSingleItem()
            .Message.ShouldMatch(" 1,000 .* 1,001 threads.* 1,000,000 ");
        Session("\"RandomizeRequests\": true, \"LastThreads\": 1000").Errors.ShouldBeEmpty();
        Session("\"LastThreads\": 1001").Errors.ShouldBeEmpty();

        var typed = new LoadSettings { Threads = 1001, Randomize = true };
        Should.Throw<SessionException>(() => PreparedSession.Create(Session("\"LastThreads\": 2"), typed)).Message.ShouldContain(
            "use fewer threads");
        PreparedSession.Create(Session("\"LastThreads\": 2"), typed with { Threads = 1000 }).Requests.Length.ShouldBe(1000);

        static Session Session(string options) =>
            SessionReader.Read(string.Concat(Enumerable.Repeat(Get, 1000)) + Options($"{{ {options} }}"), "many.websurge");
    }

    /// <summary>Quadratic time would mean hours at these sizes, so the time limit doesn't have to be tight.</summary>
    [Fact]
    public async Task Reader_TakesLinearTime_WithManyOptionsOrVariables()
    {
        const int Many = 100_000;
        var options = new StringBuilder("{\n");
        var body = new StringBuilder();
        for (var i = 0; i < Many; i++)
        {
            options.Append(System.Globalization.CultureInfo.InvariantCulture, $"\"Unknown{i}\": 1,\n");
            body.Append(System.Globalization.CultureInfo.InvariantCulture, $"{{{{%NAME_{i}%}}}}\n");
        }

        var text = $"POST http://localhost/ HTTP/1.1\n\n{body}\n-----\n\n"
            + Options(options + "\"ReplaceQueryStringValuePairs\": \"a=1\" }");

        var session = await Task.Run(() => SessionReader.Read(text, "many.websurge")).WaitAsync(TimeSpan.FromSeconds(60));

        session.Diagnostics.Count(diagnostic => diagnostic.Message.StartsWith("The option Unknown", StringComparison.Ordinal))
            .ShouldBe(SessionDiagnostics.Most);
        session.Diagnostics.Single(diagnostic => diagnostic.Message.StartsWith("The option Unknown7 ", StringComparison.Ordinal)).Line
            .ShouldBe(
                session.Diagnostics.Single(
                    diagnostic => diagnostic.Message.StartsWith("The option Unknown0 ", StringComparison.Ordinal)).Line + 7);

        // Whether an environment variable is sent doesn't depend on what is shown.
        EnvironmentNames.FindIn(session).Count.ShouldBe(Many);
        session.Diagnostics[^1].Message.ShouldEndWith("not shown.");
    }

    [Fact]
    public async Task QueryPairs_TakeLinearTime_AndTheLastOfEqualKeysCounts()
    {
        QueryPairs.Set(new Uri("http://x/?a=1&B=2&c=3"), "?b=4&d=5&b=6").Query.ShouldBe("?a=1&c=3&d=5&b=6");
        QueryPairs.Set(new Uri("http://x/?a=1"), " ").Query.ShouldBe("?a=1");

        var many = string.Join('&', Enumerable.Range(0, 100_000).Select(i => $"k{i}=1"));
        var url = await Task.Run(() => QueryPairs.Set(new Uri("http://x/?k5=0"), many[..60_000])).WaitAsync(TimeSpan.FromSeconds(60));
        url.Query.ShouldStartWith("?k0=1&k1=1");
    }

    private static Session Read(string options) => SessionReader.Read(Get + Options(options), "s.websurge");

    private static string Options(string json) => $"----- Start WebSurge Options -----\n{json}\n----- End WebSurge Options -----\n";
}
