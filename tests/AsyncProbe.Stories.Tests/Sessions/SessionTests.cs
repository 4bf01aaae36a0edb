namespace AsyncProbe.Stories.Tests.Sessions;

/// <summary>Runs each session file for three seconds against the whole sample; the thresholds are the claims of its story.</summary>
public sealed class SessionTests(StorySample sample) : IClassFixture<StorySample>
{
    // Loose where a crowded machine may be slow, strict where the story would no longer hold.
    private static readonly Dictionary<string, string[]> Claims = new()
    {
        ["smoke"] = ["requests>=5"],
        ["values-sleep"] = ["blocked.avg>900", "min>950"],
        ["values-delay"] = ["blocked.avg<50", "min>950"],
        // A hundred clients that wait for a second each get at most a hundred answers a second.
        ["values-cached"] = ["blocked.avg<50", "rps>300"],
        ["customers-sync"] = ["blocked.avg>150", "min>150"],
        ["customers-async"] = ["blocked.avg<50", "min>150"],
        ["customers-cpu"] = ["cpu.avg>1"],
        ["syncvasync-sync"] = ["blocked.avg>1900", "min>1900"],
        ["syncvasync-async"] = ["blocked.avg<50", "min>1900"],
        ["products-sync"] = ["blocked.avg>200"],
        ["products-async"] = ["blocked.avg<50"],
        ["backend-sync"] = ["blocked.avg>80", "min>80"],
        ["backend-async"] = ["blocked.avg<50", "min>80"],

        // Both ways the requests are slow and hold nothing: the consumer holds the threads. Its cost is listed with the operations.
        ["jobs-sync"] = ["blocked.avg<50", "min>150"],
        ["jobs-async"] = ["blocked.avg<50", "min>150"],
    };

    // One of each kind of story: everything at once, the cache, waiting, the database, and jobs.
    private static readonly string[] s_representative = ["smoke", "values-cached", "customers-sync", "products-async", "jobs-sync"];

    private static IEnumerable<string> Names =>
        Directory.GetFiles(Path.GetDirectoryName(AsyncProbeCommand.Session(""))!, "*.websurge").Select(
            file => Path.GetFileNameWithoutExtension(file)).Order();

    public static TheoryData<string> Representative => [.. s_representative];

    public static TheoryData<string> Others => [.. Names.Except(s_representative)];

    [Theory]
    [MemberData(nameof(Representative))]
    public Task Session_HoldsWhatItsStoryClaims(string name) => ShouldHoldAsync(name);

    [Theory]
    [MemberData(nameof(Others))]
    [Trait("Category", "Full")]
    public Task OtherSession_HoldsWhatItsStoryClaims(string name) => ShouldHoldAsync(name);

    [Fact]
    public async Task EverySession_CanBeRun_AndHasAClaim()
    {
        Names.ShouldBe(Claims.Keys, ignoreOrder: true);
        foreach (var check in await Task.WhenAll(Names.Select(name => AsyncProbeCommand.RunAsync("check", AsyncProbeCommand.Session(name)))))
        {
            check.ExitCode.ShouldBe(0, check.Messages + check.Results);
        }
    }

    private async Task ShouldHoldAsync(string name)
    {
        var run = await RunAsync(name, Claims[name]);

        run.ExitCode.ShouldBe(0, run.Messages + run.Results);
    }

    // Fifty clients on two cores mostly wait for a core, and sometimes for a runtime thread that waits for one itself. The rest of the
    // blocked time depends on the load; the verdict must not.
    [Fact]
    public async Task CustomersCpu_IsToldCpuBound_InACrowd()
    {
        var run = await RunAsync("customers-cpu", [], "--json");

        run.ExitCode.ShouldBe(0, run.Messages + run.Results);
        var rows = run.Json.GetProperty("server").GetProperty("endpoints").EnumerateArray()
            .ToDictionary(row => row.GetProperty("endpoint").GetString()!);
        rows.Keys.ShouldBe(["GET /Customers/AsyncGetCpuBound", "GET /Customers/SyncGetCpuBound"], ignoreOrder: true);
        rows.Values.ShouldAllBe(row => row.GetProperty("verdict").GetString() == "cpuBound", run.Results);
    }

    [Fact]
    public async Task Session_ExitsWith99_WhenTheStoryIsAnotherOne()
    {
        var run = await RunAsync("values-delay", Claims["values-sleep"]);

        run.ExitCode.ShouldBe(99, run.Messages + run.Results);
        run.Messages.ShouldContain("Threshold not met: blocked.avg>900");
    }

    // Callers within a second may share a report, and a run's last one was once from before its requests.
    [Fact]
    public async Task ShortRun_HasEachOfItsRequests()
    {
        var run = await AsyncProbeCommand.RunAsync(
            "run", $"{sample.Url.TrimEnd('/')}/values/delay?ms=10", "--requests", "20", "-t", "2", "-w", "0", "--json");

        run.ExitCode.ShouldBe(0, run.Messages);
        run.Json.GetProperty("server").GetProperty("endpoints").EnumerateArray().ShouldHaveSingleItem()
            .GetProperty("requests").GetInt64().ShouldBe(20, run.Results);
    }

    private Task<AsyncProbeCommand> RunAsync(string name, string[] claims, params string[] more) => AsyncProbeCommand.RunAsync(
    [
        "run", AsyncProbeCommand.Session(name), "--base-url", sample.Url, "-s", "3", "-w", "1", .. more,
        .. claims.Append("failed.count==0").SelectMany(claim => new[] { "--threshold", claim }),
    ]);
}
