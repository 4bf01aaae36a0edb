using System.Collections.Concurrent;
using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using AsyncProbe.Packages.Tests;
using Microsoft.Playwright;

namespace AsyncProbe.Runtimes.Tests;

/// <summary>Windows' .NET, run by Wine: the catalogue, the split, the page, the lifeline and the command.</summary>
[Trait("Category", "Full")]
public sealed class WineTests(WinePrefix wine) : IClassFixture<WinePrefix>, IAsyncLifetime
{
    private static readonly TimeSpan s_timeout = TimeSpan.FromMinutes(4);

    public Task InitializeAsync() => wine.SettleAsync();

    public Task DisposeAsync() => Task.CompletedTask;

    [Fact]
    public async Task Program_PassesTheTests_OnWindowsRuntime()
    {
        string[] patterns =
        [
            CatalogueColumn.Hooked + "Sin_*",
            CatalogueColumn.Hooked + "Twin_*",
            CatalogueColumn.Sampled + "*",
            "AsyncProbe.StackSnapshots.Tests.TwinTests.*",
            "AsyncProbe.Tests.Blocking.Hook.WaitHookTests.*",
            "AsyncProbe.Tests.Blocking.BlockingGuardTests.Guard_NamesTheCall*",
            "AsyncProbe.Runtimes.WindowsTests.*",
            "AsyncProbe.Runtimes.StarvedTests.*",
            "AsyncProbe.Runtimes.SnapshotTests.*",
            "AsyncProbe.Runtimes.PlantedPipeTests.*",
        ];

        var run = await ProgramRun.RunAsync(
            "wine", wine.Environment, s_timeout, [Path.Combine(wine.Tests, "AsyncProbe.Runtimes.exe"), .. patterns]);

        run.Runtime.ShouldStartWith("10.0.");
        run.ShouldHavePassed();
        patterns.ShouldAllBe(pattern => run.Passed.Any(test => test.StartsWith(pattern.Split('*')[0], StringComparison.Ordinal)));
        new CatalogueColumn("Wine").ShouldBeShownBy(run.Passed);
    }

    [Fact]
    public async Task Server_IsSeenFromOutside_ByHeadersReportAndPage()
    {
        await using var server = await WineServer.StartAsync(wine, "--environment", "Development");

        using var response = await server.Client.GetAsync(new Uri("/task-wait?ms=300", UriKind.Relative));
        response.Headers.GetValues("X-AsyncProbe-Blocked-At").Single().ShouldContain("Blocked.ByClock (Blocked.cs:");
        response.Headers.GetValues("Server-Timing").Single().ShouldContain("blocked;dur=");
        response.Headers.GetValues("Server-Timing").Single().ShouldNotContain("cpuwait");

        await Eventually.TrueAsync(
            async () => (await server.ReportAsync()).GetProperty("endpoints").EnumerateArray()
                .Any(row => row.GetProperty("endpoint").GetString() == "GET /task-wait"),
            "the request is not in the report");
        await PageShowsAsync(server, "GET /task-wait");
    }

    [Fact]
    public async Task StarvedServer_TellsWhatHoldsItsThreads_WhileItIsStarved()
    {
        var port = FreePort.Take();
        await using var server = await WineServer.StartAsync(
            wine, "--max-workers", "4", "--AsyncProbe:LifelinePort", $"{port}", "--AsyncProbe:Detection", "Always");

        // These requests hold all threads until the server is killed.
        var held = Enumerable.Range(0, 8).Select(_ => server.TextAsync("/hang-until-released")).ToList();

        using var lifeline = new HttpClient { BaseAddress = new Uri($"http://127.0.0.1:{port}"), Timeout = ChildProcess.Timeout };
        JsonElement pool = default;
        await Eventually.TrueAsync(
            async () =>
            {
                using var report = JsonDocument.Parse(await lifeline.GetStringAsync(new Uri("/", UriKind.Relative)));
                pool = report.RootElement.GetProperty("pool").Clone();
                return pool.GetProperty("state").GetString() == "starved";
            },
            () => $"the lifeline says {pool}",
            ChildProcess.Timeout);
        (await server.LineAsync("GET /hang-until-released")).ShouldNotBeEmpty();
        held.ShouldAllBe(request => !request.IsCompleted);
        server.Kill();
        await Task.WhenAll(held.Select(request => Should.ThrowAsync<Exception>(request)));
    }

    [Fact]
    public async Task StarvedServer_NamesTheLineThatSleeps_WhileItIsStarved()
    {
        await using var server = await WineServer.StartAsync(
            wine, "--max-workers", "4", "--snapshots", "true", "--AsyncProbe:StackSnapshots:Interval=00:00:01");

        // These requests hold all threads until the server is killed.
        var held = Enumerable.Range(0, 8).Select(_ => server.TextAsync("/sleep?ms=600000")).ToList();

        (await server.LineAsync("are blocked in GET /sleep at Program.Main (Program.cs:")).ShouldContain("cause blocked");
        held.ShouldAllBe(request => !request.IsCompleted);
        server.Kill();
        await Task.WhenAll(held.Select(request => Should.ThrowAsync<Exception>(request)));
    }

    [Fact]
    public async Task Command_RunsASession_AndFindsTheServersSide()
    {
        await using var server = await WineServer.StartAsync(wine);

        var joined = await ServersSideAsync(server);

        joined.GetProperty("status").GetString().ShouldBe("joined", joined.ToString());
        joined.ToString().ShouldContain("GET /task-wait");
    }

    [Fact]
    public async Task Look_NamesTheLine_ThroughTheRuntimesPipe()
    {
        await using var server = await WineServer.StartAsync(wine);
        var held = server.TextAsync("/task-wait?ms=600000");
        var pid = (await server.ReportAsync()).GetProperty("process").GetProperty("id").GetInt32();

        var text = await Commands.RunAsync(
            wine.Folder, wine.Environment, "wine", Path.Combine(wine.Command, "asyncprobe.exe"), "look", $"{pid}", "-s", "2", "--json");

        text.ShouldContain("Blocked.ByClock (Blocked.cs:");
        server.Kill();
        await Should.ThrowAsync<Exception>(held);
    }

    // Wine lists no pipes and has no Unix sockets. The hook is loaded through the pipe, and says that it can't listen.
    [Theory]
    [InlineData("ps", "by its number")]
    [InlineData("attach", "SocketException (10047)")]
    public async Task Command_SaysInOneSentence_WhatWineLacks(string command, string reason)
    {
        await using var server = await WineServer.StartAsync(wine);
        var pid = (await server.ReportAsync()).GetProperty("process").GetProperty("id").GetInt32();
        using var run = StartCommand(command == "attach" ? ["attach", $"{pid}"] : ["ps"]);
        var messages = run.StandardError.ReadToEndAsync();
        (await run.StandardOutput.ReadToEndAsync()).ShouldBeEmpty();
        await run.WaitForExitAsync().WaitAsync(ChildProcess.Timeout);

        run.ExitCode.ShouldBe(3);
        (await messages).ShouldContain(reason);
        (await server.TextAsync("/plain")).ShouldBe("ok");
    }

    [Fact]
    public async Task Command_PrintsWhatItMeasured_WhenInterrupted()
    {
        await using var server = await WineServer.StartAsync(wine);
        using var command = StartCommand("run", $"{server.Address}task-wait?ms=20", "-t", "1", "-s", "600", "-w", "0", "--json");
        var results = command.StandardOutput.ReadToEndAsync();

        // A progress line shows that it is measuring.
        var line = await command.StandardError.ReadLineAsync().WaitAsync(ChildProcess.Timeout);
        while (line?.Contains("/s  p50", StringComparison.Ordinal) != true)
        {
            line.ShouldNotBeNull();
            line = await command.StandardError.ReadLineAsync().WaitAsync(ChildProcess.Timeout);
        }

        var rest = command.StandardError.ReadToEndAsync();

        // Wine turns this into Windows' Ctrl+C.
        using var kill = Commands.Start(wine.Folder, wine.Environment, "kill", "-INT", $"{command.Id}");
        await command.WaitForExitAsync().WaitAsync(ChildProcess.Timeout);

        (await rest).ShouldContain("Interrupted: the figures cover the time until then.");
        command.ExitCode.ShouldBe(130);
        using var result = JsonDocument.Parse(await results);
        result.RootElement.GetProperty("interrupted").GetBoolean().ShouldBeTrue();
        result.RootElement.GetProperty("total").GetProperty("requests").GetInt64().ShouldBeGreaterThan(0);
    }

    [Theory]
    [InlineData("", true)]
    [InlineData("1", false)]
    public async Task Command_ColoursATerminalAlone_UnlessNoColorIsSet(string noColor, bool isColoured)
    {
        const string Red = "\u001b[38;5;9m";
        await using var server = await WineServer.StartAsync(wine);
        string[] arguments = ["run", $"{server.Address}task-wait?ms=20", "-t", "1", "-s", "1", "-w", "0", "--quiet", "--threshold", "avg<1"];
        Dictionary<string, string> surroundings = new(wine.Environment) { ["NO_COLOR"] = noColor, ["TERM"] = "xterm-256color" };

        // `script` gives the command a terminal.
        var line = $"wine {Path.Combine(wine.Command, "asyncprobe.exe")} {string.Join(' ', arguments.Select(a => $"'{a}'"))}";
        var inTerminal = await TextAsync(Commands.Start(wine.Folder, surroundings, "script", "-qec", line, "/dev/null"));
        var redirected = await TextAsync(StartCommand(arguments));

        inTerminal.ShouldContain("Threshold not met");
        inTerminal.Contains(Red, StringComparison.Ordinal).ShouldBe(isColoured, inTerminal);
        redirected.ShouldContain("Threshold not met");
        redirected.ShouldContain('✗');
        redirected.ShouldNotContain('\u001b');
    }

    private static async Task<string> TextAsync(Process process)
    {
        using (process)
        {
            var output = process.StandardOutput.ReadToEndAsync();
            var errors = process.StandardError.ReadToEndAsync();
            await process.WaitForExitAsync().WaitAsync(ChildProcess.Timeout);
            process.ExitCode.ShouldBe(99, await output + await errors);
            return await output + await errors;
        }
    }

    private static async Task PageShowsAsync(WineServer server, string endpoint)
    {
        using var playwright = await Playwright.CreateAsync();
        await using var browser = await playwright.Chromium.LaunchAsync(new BrowserTypeLaunchOptions
        {
            ExecutablePath = Environment.GetEnvironmentVariable("CHROMIUM") ?? "/usr/bin/chromium",
            Args = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"],
        });
        Assertions.SetDefaultExpectTimeout((float)ChildProcess.Timeout.TotalMilliseconds);
        var page = await browser.NewPageAsync();
        page.SetDefaultTimeout((float)ChildProcess.Timeout.TotalMilliseconds);
        ConcurrentQueue<string> errors = [];
        page.PageError += (_, error) => errors.Enqueue(error);
        await page.GotoAsync(new Uri(server.Address, "/_threadpool").ToString());

        var row = page.Locator($"tr[data-endpoint='{endpoint}']");
        await Assertions.Expect(row.Locator("td[data-field=requests]")).ToHaveTextAsync("1");
        double.Parse((await row.Locator("td[data-field=blocked]").GetAttributeAsync("data-value"))!, CultureInfo.InvariantCulture)
            .ShouldBeGreaterThan(200);
        await row.ClickAsync();
        await Assertions.Expect(page.Locator("tr.detail")).ToContainTextAsync("Blocked.ByClock (Blocked.cs:");
        await Assertions.Expect(page.Locator("#no-cpu-wait")).ToBeVisibleAsync();
        errors.ShouldBeEmpty();
    }

    private Process StartCommand(params string[] arguments) =>
        Commands.Start(wine.Folder, wine.Environment, ["wine", Path.Combine(wine.Command, "asyncprobe.exe"), .. arguments]);

    private async Task<JsonElement> ServersSideAsync(WineServer server)
    {
        var session = Path.Combine(wine.Folder, "wait.websurge");
        await File.WriteAllTextAsync(session, $"GET {server.Address}task-wait?ms=20 HTTP/1.1\r\n\r\n{new string('-', 66)}\r\n");
        var text = await Commands.RunAsync(
            wine.Folder, wine.Environment, "wine", Path.Combine(wine.Command, "asyncprobe.exe"), "run", "wait.websurge",
            "-t", "2", "-s", "2", "-w", "1", "--timeout", "60s", "--json");

        using var result = JsonDocument.Parse(text[text.IndexOf('{', StringComparison.Ordinal)..(text.LastIndexOf('}') + 1)]);
        return result.RootElement.GetProperty("server").Clone();
    }
}
