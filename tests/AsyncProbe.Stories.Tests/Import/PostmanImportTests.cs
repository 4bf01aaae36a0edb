using System.Diagnostics;

namespace AsyncProbe.Stories.Tests.Import;

/// <summary>Compares what a collection sends from the command and from newman.</summary>
[SideBySide]
public sealed class PostmanImportTests
{
    private static readonly string s_postman = Path.Combine(Repository.Folder, "postman");

    [Fact]
    [Trait("Category", "Newman")]
    public async Task Collection_SendsTheSame_AsWithNewman()
    {
        if (Programs.FindFolder("newman") is not { } folder)
        {
            Programs.Missing("newman", "npm", "newman");
            return;
        }

        await using var server = await EchoServer.StartAsync();
        var collection = Path.Combine(Repository.Folder, "tests", "AsyncProbe.Stories.Tests", "Import", "Traps.postman_collection.json");
        var environment = Path.Combine(AppContext.BaseDirectory, "traps.postman_environment.json");
        await File.WriteAllTextAsync(environment, $$"""
            { "values": [ { "key": "site", "value": "{{server.Address.ToString().TrimEnd('/')}}", "enabled": true },
              { "key": "port", "value": "{{server.Address.Port}}" }, { "key": "token", "value": "live-token-1", "type": "secret", "enabled": true } ] }
            """);

        using var newman = Process.Start(
            new ProcessStartInfo(Path.Combine(folder, "newman"), ["run", collection, "-e", environment, "--silent"]))!;
        await newman.WaitForExitAsync().WaitAsync(TimeSpan.FromMinutes(2));
        newman.ExitCode.ShouldBe(0);
        var expected = server.Drain();
        var run = await AsyncProbeCommand.RunAsync("run", collection, "--env", environment, "--once", "--probe", "off");
        run.ExitCode.ShouldBe(0, run.Messages);

        expected.Count.ShouldBe(20);
        server.Drain().ShouldBe(expected);
    }

    [Fact]
    public async Task OwnCollection_RunsWhole()
    {
        await using var sample = await SampleProcess.StartAsync();

        var run = await AsyncProbeCommand.RunAsync(
            "run", Path.Combine(s_postman, "AsyncProbe.postman_collection.json"), "--env",
            Path.Combine(s_postman, "AsyncProbe.postman_environment.json"),
            "--base-url", sample.Address.ToString(), "--once", "--json", "--timeout", "60s");

        run.ExitCode.ShouldBe(0, run.Messages);
        var check = await AsyncProbeCommand.ResultsAsync("check", Path.Combine(s_postman, "AsyncProbe.postman_collection.json"));
        var requests = int.Parse(check.Split(": ")[1].Split(' ')[0], System.Globalization.CultureInfo.InvariantCulture);
        requests.ShouldBeGreaterThan(100);
        var total = run.Json.GetProperty("total");
        total.GetProperty("requests").GetInt32().ShouldBe(requests);
        // Some request missing items or send values that are refused; each still gets an answer.
        total.GetProperty("statusCodes").EnumerateObject().Sum(status => status.Value.GetInt32()).ShouldBe(requests);
    }
}
