using System.Globalization;
using System.Text.Json;

namespace AsyncProbe.Attach.Tests;

/// <summary><c>--server</c> of <c>run</c> and <c>compare</c>, with an application that doesn't contain AsyncProbe.</summary>
public sealed class ServerOptionTests
{
    // It waits for /starve because Task.Wait spins first. On a busy machine, spinning takes all of a wait of 30 ms.
    private static readonly string[] s_short = ["--requests", "12", "-w", "0", "-t", "2", "--json"];

    [Fact]
    public async Task RunningProcess_GetsAProbe_AndStaysAfterTheRun()
    {
        await using var shop = await ShopProcess.StartAsync();

        var run = await AsyncProbeCommand.RunAsync(["run", shop.Address + "starve", .. s_short, "--server", shop.Pid]);

        run.ExitCode.ShouldBe(0, run.Messages);
        ShowsBothSides(run.Json, "GET /starve", BlockingLines.All["/starve"]);
        run.Json.GetProperty("server").GetProperty("url").GetString().ShouldStartWith("Shop (pid ");
        await shop.BecomesFreeAsync();
        (await shop.TextAsync("/fast")).ShouldBe("fast");
    }

    [Theory]
    [InlineData("--server|--|dotnet|SHOP|--urls|SITE")]
    [InlineData("--server|cd / && ASPNETCORE_URLS=SITE dotnet SHOP; true")]
    public async Task Command_IsStartedForTheRun_AndGetsAProbe(string server)
    {
        var url = string.Create(CultureInfo.InvariantCulture, $"http://127.0.0.1:{FreePort.Take()}/");
        var words = server.Replace("SHOP", ShopProcess.Built("AsyncProbe.AttachTarget", "Shop.dll"), StringComparison.Ordinal)
            .Replace("SITE", url, StringComparison.Ordinal);

        var run = await AsyncProbeCommand.RunAsync(["run", url + "sleep", .. s_short, .. words.Split('|')]);

        run.ExitCode.ShouldBe(0, run.Messages);
        ShowsBothSides(run.Json, "GET /sleep", site: null);
        using var client = new HttpClient();
        await Should.ThrowAsync<HttpRequestException>(() => client.GetStringAsync(new Uri(url)));
    }

    [Fact]
    public async Task Compare_ShowsBothSides_OfTwoBuilds()
    {
        var (before, after) = (Url(), Url());
        var (old, current) = ("AsyncProbe.AttachTarget", "AsyncProbe.PackageTarget");

        var compared = await AsyncProbeCommand.RunAsync(
            "compare", before + "starve", after + "async", "--requests", "12", "-w", "0", "-t", "2", "--rounds", "1", "--json",
            "--server", $"dotnet {ShopProcess.Built(old, "Shop.dll")} --urls {before}",
            "--server", $"dotnet {ShopProcess.Built(current, "ShopWithPackage.dll")} --urls {after} --unused");

        compared.ExitCode.ShouldBe(0, compared.Messages);
        var sessions = compared.Json.GetProperty("sessions").EnumerateArray().Select(session => session.GetProperty("rounds")[0]).ToList();
        ShowsBothSides(sessions[0], "GET /starve", BlockingLines.All["/starve"]);
        ShowsBothSides(sessions[1], "GET /async", site: null);

        static string Url() => string.Create(CultureInfo.InvariantCulture, $"http://127.0.0.1:{FreePort.Take()}/");
    }

    [Fact]
    public async Task Compare_KeepsTheRoundsThatEnded_WhenALaterStartFails()
    {
        using var folder = new TemporaryFolder();
        var (saved, starts) = (folder.File("saved.json"), folder.Write("starts", ""));
        var url = string.Create(CultureInfo.InvariantCulture, $"http://127.0.0.1:{FreePort.Take()}/");
        var shop = ShopProcess.Built("AsyncProbe.AttachTarget", "Shop.dll");
        var threeTimes = folder.Write("three-times.sh", $"echo >> {starts}; test $(wc -l < {starts}) -le 3 && exec dotnet {shop} --urls {url}");

        var compared = await AsyncProbeCommand.RunAsync(
            "compare", url + "fast", url + "async", "--requests", "5", "-w", "0", "--rounds", "3", "--server", $"sh {threeTimes}",
            "--save", saved);

        compared.ExitCode.ShouldBe(3, compared.Messages);
        compared.Messages.ShouldContain("ended with code");
        compared.Results.ShouldContain("Requests a second");
        var json = JsonDocument.Parse(File.ReadAllText(saved)).RootElement;
        json.GetProperty("interrupted").GetBoolean().ShouldBeTrue();
        json.GetProperty("sessions").EnumerateArray().Select(session => session.GetProperty("rounds").GetArrayLength()).ShouldBe([2, 1]);
    }

    [Fact]
    public async Task ServerThatIsNotThere_IsRefused()
    {
        (await AsyncProbeCommand.RunAsync("run", "http://127.0.0.1:1/", "--server")).ExitCode.ShouldBe(2);
        (await AsyncProbeCommand.RunAsync("run", "http://127.0.0.1:1/", "--server", "--", "/no/such/program")).ExitCode.ShouldBe(3);
    }

    private static void ShowsBothSides(JsonElement run, string endpoint, string? site)
    {
        run.GetProperty("total").GetProperty("succeeded").GetInt64().ShouldBeGreaterThan(0);
        run.GetProperty("server").GetProperty("endpoints").EnumerateArray()
            .ShouldContain(row => row.GetProperty("endpoint").GetString() == endpoint, run.ToString());
        if (site is not null)
        {
            // A short run may have named the line before its counts begin, so that it's not among the run's sites.
            run.GetProperty("server").GetProperty("knownSites").EnumerateArray()
                .ShouldContain(row => $"{row.GetProperty("file").GetString()}:{row.GetProperty("line")}" == site, run.ToString());
        }
    }
}
