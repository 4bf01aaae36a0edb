using System.Diagnostics;
using System.Text.Json;

namespace AsyncProbe.Attach.Tests;

/// <summary>Starting an application with the probe in it.</summary>
public sealed class StartTests
{
    [Fact]
    public async Task StartedApplication_IsMeasuredFromItsFirstRequest_AndItsExitCodePassesThrough()
    {
        using var tool = Start("AsyncProbe.AttachTarget", "Shop.dll");
        using var client = new HttpClient { BaseAddress = await AddressAsync(tool) };
        for (var i = 0; i < 20; i++)
        {
            await client.GetStringAsync(new Uri("/result", UriKind.Relative));
        }

        // Wait until the tool has asked the probe once more.
        await Task.Delay(1500);
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
            async () => !JsonDocument.Parse(await client.GetStringAsync(new Uri("/counters", UriKind.Relative))).RootElement
                .GetProperty("followed").GetBoolean(),
            () => "the probe still follows the requests");
        await Task.Delay(1500);
        var row = (await EndAsync(tool)).GetProperty("endpoints").EnumerateArray()
            .Single(row => row.GetProperty("endpoint").GetString() == "GET /result");

        row.GetProperty("requests").GetInt64().ShouldBe(20);
    }

    private static Process Start(string project, string name) =>
        Tool("start", "--json", "--", "dotnet", ShopProcess.Built(project, name), "--urls", "http://127.0.0.1:0");

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

    private static Process Tool(params string[] arguments) => Process.Start(
        new ProcessStartInfo(
            "dotnet",
            [
                Path.Combine(
                    Repository.Folder, "src", "AsyncProbe.Cli", "bin",
                    Path.GetRelativePath(Path.Combine(AppContext.BaseDirectory, "..", ".."), AppContext.BaseDirectory), "asyncprobe.dll"),
                .. arguments,
            ]) { RedirectStandardOutput = true, RedirectStandardError = true })!;

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
