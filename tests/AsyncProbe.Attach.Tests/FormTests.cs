namespace AsyncProbe.Attach.Tests;

/// <summary>
/// Attaching to each form of .NET process. Each test writes or compares one version in one cell of the table in docs/attach.md.
/// </summary>
public sealed class FormTests
{
    private const string Worker = "generic host with a worker, with the ASP.NET Core framework";
    private const string Console = "console application, with `asyncprobe look`";
    private static readonly Dictionary<string, string[]> s_hosts = new()
    {
        ["`CreateBuilder`"] = [], ["`CreateSlimBuilder`"] = ["--slim"], ["`CreateEmptyBuilder`"] = ["--empty"], ["`WebHostBuilder`"] = ["--web-host"],
    };

    // Every blocking request waits for 30 ms, and a busy machine only makes that longer.
    private const double LeastWaitedMs = 20;

    private static readonly string[] s_blocking = ["/result", "/late", "/controller", "/sleep", "/fail", "/dispose"];
    private static readonly string[] s_paths = [.. s_blocking, "/fast", "/async", "/cpu"];

    public static IReadOnlyList<string> Applications { get; } = [.. s_hosts.Keys, Worker, Console];

    public static IEnumerable<object[]> Forms { get; } = [.. Majors.SelectMany(_ => Form.Names, (major, name) => new object[] { major, name })];

    public static IEnumerable<object[]> HostsInForms { get; } =
        [.. Forms.SelectMany(_ => s_hosts.Keys, (form, host) => new object[] { form[0], form[1], host })];

    private static int[] Majors => [8, 9, 10];

    [Theory]
    [InlineData("`WebHostBuilder`")]
    public Task EveryLine_IsNamed_WithHost(string host) =>
        NamesEveryLineAsync(["dotnet", "exec", ShopProcess.Built("AsyncProbe.AttachTarget", "Shop.dll")], host, Environment.Version.Major);

    [Theory]
    [Trait("Category", "Full")]
    [MemberData(nameof(HostsInForms))]
    public async Task EveryLine_IsNamed_InForm(int major, string name, string host)
    {
        var form = new Form(major, name);
        await FormsTable.CompareAsync(
            host, form, async () => await NamesEveryLineAsync(await form.CommandAsync("AsyncProbe.AttachTarget", "Shop"), host, major));
    }

    [Theory]
    [Trait("Category", "Full")]
    [MemberData(nameof(Forms))]
    public async Task BlockedWorker_IsNamed_InForm(int major, string name)
    {
        var form = new Form(major, name);
        await FormsTable.CompareAsync(Worker, form, async () =>
        {
            await using var shop = await ShopProcess.RunWorkerAsync([.. await form.CommandAsync("AsyncProbe.AttachTarget", "Shop"), "--worker"]);
            using (var probe = new AttachedReport(shop))
            {
                await Eventually.TrueAsync(
                    () => probe.Read().Pool.Unclaimed.Any(site => $"{site.File}:{site.Line}".EndsWith(BlockingLines.All["StockWorker"], StringComparison.Ordinal)),
                    () => string.Join('\n', probe.Read().Pool.Unclaimed),
                    ChildProcess.Timeout);
            }

            await shop.BecomesFreeAsync();
        });
    }

    [Theory]
    [Trait("Category", "Full")]
    [MemberData(nameof(Forms))]
    public async Task ConsoleApplication_IsRefusedAndLookedAt_InForm(int major, string name)
    {
        var form = new Form(major, name);
        await FormsTable.CompareAsync(Console, form, async () =>
        {
            await using var console = await ShopProcess.RunWorkerAsync(await form.CommandAsync("AsyncProbe.ConsoleTarget", "Sums"));
            await RefusalTests.RefusesAsync(["attach", console.Pid], "is not an ASP.NET Core application");
            console.Folders.ShouldBeEmpty();

            var look = await AsyncProbeCommand.RunAsync("look", console.Pid, "-s", "1", "--json");

            look.ExitCode.ShouldBe(0, look.Messages);
            look.Results.ShouldContain(BlockingLines.All["console"]);
        });
    }

    private static async Task NamesEveryLineAsync(string[] command, string host, int major)
    {
        await using var shop = await ShopProcess.RunAsync([.. command, .. s_hosts[host]]);
        var before = await AnswersAsync(shop);
        using (var probe = new AttachedReport(shop))
        {
            probe.Process.Info.RuntimeVersion.ShouldStartWith($"{major}.");
            await using var load = new ShopLoad(shop.Client, clients: 2, s_paths);
            await Eventually.TrueAsync(() => Missing(probe).Count == 0, () => string.Join('\n', Missing(probe)), ChildProcess.Timeout);
            (await AnswersAsync(shop)).ShouldBe(before);
            load.Failures.ShouldBeEmpty();
        }

        await shop.BecomesFreeAsync();
        (await AnswersAsync(shop)).ShouldBe(before);
    }

    /// <summary>What the probe hasn't said yet: lines that block, blocked time, and verdicts. Which verdict depends on the machine's load.</summary>
    private static List<string> Missing(AttachedReport probe)
    {
        var seen = probe.Read();
        var lines = seen.Sites.Select(site => $"{Path.GetFileName(site.File)}:{site.Line}").ToHashSet();
        var unnamed = s_blocking.Where(path => !lines.Contains(BlockingLines.All[path])).Select(path => $"{path}: {BlockingLines.All[path]} is not named");
        var rows = s_paths.Select(path => (Path: path, Row: seen.Endpoints.FirstOrDefault(row => row.Endpoint == "GET " + path))).ToList();
        var unjudged = rows.Where(one => one.Row?.Verdict is null or "notEnoughData").Select(one => $"{one.Path}: {one.Row?.Verdict}");
        var unblocked = rows.Where(one => s_blocking.Contains(one.Path) && !(one.Row?.WaitedMs() >= one.Row?.Requests * LeastWaitedMs))
            .Select(one => $"{one.Path}: waited {one.Row?.WaitedMs()} ms in {one.Row?.Requests} requests");
        return [.. unnamed, .. unjudged, .. unblocked];
    }

    /// <summary>The application's answers, without the time of day.</summary>
    private static async Task<string> AnswersAsync(ShopProcess shop)
    {
        List<string> answers = [];
        foreach (var path in s_paths)
        {
            using var answer = await shop.Client.GetAsync(new Uri(path, UriKind.Relative));
            answer.Headers.Date = null;
            answers.Add($"{path}: {(int)answer.StatusCode} {answer.Headers} {answer.Content.Headers} {await answer.Content.ReadAsStringAsync()}");
        }

        return string.Join('\n', answers);
    }
}
