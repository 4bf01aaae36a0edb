using System.Diagnostics;
using System.Text.Json;

namespace AsyncProbe.Attach.Tests;

/// <summary>Starting an application with the probe in it.</summary>
public sealed class StartTests
{
    private static string Configuration => new DirectoryInfo(AppContext.BaseDirectory).Parent!.Name;

    // Callers at about the same time get the same report.
    private static readonly TimeSpan s_reportAge = TimeSpan.FromMilliseconds(300);

    public static TheoryData<string[]> Commands { get; } = new(
        [ShopProcess.Built("AsyncProbe.AttachTarget", "Shop")],
        [
            "dotnet", "run", "--no-build", "-f", "net10.0", "-c", Configuration,
            "--project", Path.Combine(Repository.Folder, "tests", "AsyncProbe.AttachTarget"), "--",
        ]);

    [Fact]
    public async Task StartedApplication_IsMeasuredFromItsFirstRequest_AndItsExitCodePassesThrough()
    {
        using var tool = Start("AsyncProbe.AttachTarget", "Shop.dll");
        using var client = new HttpClient { BaseAddress = await AddressAsync(tool) };
        for (var i = 0; i < 20; i++)
        {
            await client.GetStringAsync(new Uri("/result", UriKind.Relative));
        }

        await Task.Delay(s_reportAge);
        (await EndAsync(tool)).GetProperty("endpoints").EnumerateArray()
            .ShouldContain(row => row.GetProperty("endpoint").GetString() == "GET /result");
    }

    [Fact]
    public async Task ApplicationWithThePackage_IsMeasuredOnce()
    {
        using var tool = Start("AsyncProbe.PackageTarget", "ShopWithPackage.dll");
        using var client = new HttpClient { BaseAddress = await AddressAsync(tool) };
        for (var i = 0; i < 20; i++)
        {
            await client.GetStringAsync(new Uri("/result", UriKind.Relative));
        }

        // The probe followed the application's start. It stops following requests, because the package does.
        await Eventually.TrueAsync(
            async () => !(await CountersAsync(client)).GetProperty("followed").GetBoolean(),
            () => "the probe still follows the requests");
        await Task.Delay(s_reportAge);
        var row = (await EndAsync(tool)).GetProperty("endpoints").EnumerateArray()
            .Single(row => row.GetProperty("endpoint").GetString() == "GET /result");

        row.GetProperty("requests").GetInt64().ShouldBe(20);
    }

    [Theory]
    [MemberData(nameof(Commands))]
    public async Task OnlyTheApplication_IsMeasured_HoweverItIsStarted(string[] command)
    {
        using var tool = Tool(["start", "--json", "--", .. command, "--urls", "http://127.0.0.1:0"]);
        using var client = new HttpClient { BaseAddress = await AddressAsync(tool) };
        await client.GetStringAsync(new Uri("/result", UriKind.Relative));

        // Its child processes would inherit this.
        (await CountersAsync(client)).GetProperty("startupHooks").GetString().ShouldBeNull();
        await Task.Delay(s_reportAge);
        var seen = await EndAsync(tool);
        seen.GetProperty("replicas")[0].GetProperty("name").GetString().ShouldStartWith("Shop (pid ");
        seen.GetProperty("endpoints").EnumerateArray().ShouldContain(row => row.GetProperty("endpoint").GetString() == "GET /result");
    }

    [Fact]
    public async Task HookOfAnotherTool_RunsToo_AndStaysForChildProcesses()
    {
        var other = ShopProcess.Built("AsyncProbe.ConsoleTarget", "Sums.dll");
        using var tool = Tool(
            ["start", "--json", "--", ShopProcess.Built("AsyncProbe.AttachTarget", "Shop"), "--urls", "http://127.0.0.1:0"],
            new() { ["DOTNET_STARTUP_HOOKS"] = other });
        using var client = new HttpClient { BaseAddress = await AddressAsync(tool) };

        var counters = await CountersAsync(client);

        counters.GetProperty("otherHook").GetString().ShouldBe("ran");
        counters.GetProperty("startupHooks").GetString().ShouldBe(other);
        await EndAsync(tool);
    }

    [Fact]
    public async Task SecondTool_SharesTheProbe_ThatTheApplicationWasStartedWith()
    {
        using var tool = Start("AsyncProbe.AttachTarget", "Shop.dll");
        using var client = new HttpClient { BaseAddress = await AddressAsync(tool) };
        await client.GetStringAsync(new Uri("/result", UriKind.Relative));
        var pid = (await CountersAsync(client)).GetProperty("processId").ToString();

        using (var second = new AttachedReport(pid))
        {
            await second.CountedAsync("GET /result", 1);
        }

        (await EndAsync(tool)).GetProperty("endpoints").EnumerateArray()
            .ShouldContain(row => row.GetProperty("endpoint").GetString() == "GET /result");
    }

    private static async Task<JsonElement> CountersAsync(HttpClient client) =>
        JsonDocument.Parse(await client.GetStringAsync(new Uri("/counters", UriKind.Relative))).RootElement;

    private static Process Start(string project, string name) =>
        Tool(["start", "--json", "--", "dotnet", ShopProcess.Built(project, name), "--urls", "http://127.0.0.1:0"]);

    private static async Task<JsonElement> EndAsync(Process tool)
    {
        using var terminate = Process.Start("kill", ["-TERM", tool.Id.ToString(System.Globalization.CultureInfo.InvariantCulture)]);
        var results = await tool.StandardOutput.ReadToEndAsync().WaitAsync(ChildProcess.Timeout);
        await tool.WaitForExitAsync().WaitAsync(ChildProcess.Timeout);
        tool.ExitCode.ShouldBe(0);
        return JsonDocument.Parse(results).RootElement;
    }

    [Fact]
    public async Task CommandThatIsNoApplication_IsSaidSo()
    {
        var command = await AsyncProbeCommand.RunAsync("start", "--", "sh", "-c", "exit 7");

        command.ExitCode.ShouldBe(7);
        command.Messages.ShouldContain("nothing was measured");
    }

    private static Process Tool(string[] arguments, Dictionary<string, string>? environment = null)
    {
        var start = new ProcessStartInfo("dotnet", [AsyncProbeCommand.Program, .. arguments]) { RedirectStandardOutput = true, RedirectStandardError = true };
        foreach (var (name, value) in environment ?? [])
        {
            start.Environment[name] = value;
        }

        return Process.Start(start)!;
    }

    private static async Task<Uri> AddressAsync(Process tool)
    {
        const string Listening = "Now listening on: ";
        while (await tool.StandardError.ReadLineAsync().WaitAsync(ChildProcess.Timeout) is { } line)
        {
            if (line.StartsWith(Listening, StringComparison.Ordinal))
            {
                return new Uri(line[Listening.Length..]);
            }
        }

        throw new InvalidOperationException("The application never listened.");
    }
}
