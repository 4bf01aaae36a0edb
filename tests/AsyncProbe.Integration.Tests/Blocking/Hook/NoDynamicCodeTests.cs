using System.Text.Json;
using System.Text.Json.Nodes;

namespace AsyncProbe.Integration.Tests.Blocking.Hook;

/// <summary>
/// A project that will be published with Native AOT but still runs with the JIT compiler: like Native AOT it reports that code can't be
/// generated at run time, but its stacks name all methods.
/// </summary>
[SideBySide]
public sealed class NoDynamicCodeTests : IDisposable
{
    private const string Feature = "System.Runtime.CompilerServices.RuntimeFeature.IsDynamicCodeSupported";

    private readonly string _config = Path.Combine(Path.GetTempPath(), $"asyncprobe-{Guid.NewGuid():N}.runtimeconfig.json");

    public void Dispose() => File.Delete(_config);

    [Fact]
    public async Task CallSite_IsNamed_WhereDynamicCodeIsSwitchedOff()
    {
        await WriteConfigAsync();
        await using var server = await ServerProcess.StartAsync(
            start =>
            {
                start.ArgumentList.Insert(0, "exec");
                start.ArgumentList.Insert(1, "--runtimeconfig");
                start.ArgumentList.Insert(2, _config);
            },
            "--environment", "Development");
        (await server.TextAsync("/dynamic-code")).ShouldBe("false");

        using var response = await server.Client.GetAsync(new Uri("/task-wait?ms=300", UriKind.Relative));

        response.Headers.GetValues("X-AsyncProbe-Blocked-At").Single().ShouldContain("Blocked.ByClock (Blocked.cs:");
        var site = await Eventually.FoundAsync(
            async () => (await server.ReportAsync()).GetProperty("sites").EnumerateArray().FirstOrDefault(), () => "no call site is named");
        site.GetProperty("kind").GetString().ShouldBe("Task.Wait");
        site.GetProperty("line").ValueKind.ShouldBe(JsonValueKind.Number);
        var probe = (await server.ReportAsync()).GetProperty("probe");
        probe.GetProperty("selfTest").GetString().ShouldBe("passed");
        probe.GetProperty("notAvailable").GetArrayLength().ShouldBe(0, probe.ToString());
    }

    private async Task WriteConfigAsync()
    {
        var built = await File.ReadAllTextAsync(Path.Combine(AppContext.BaseDirectory, "AsyncProbe.TestServer.runtimeconfig.json"));
        var config = JsonNode.Parse(built)!;
        var options = config["runtimeOptions"]!.AsObject();
        var properties = options["configProperties"]?.AsObject() ?? [];
        properties[Feature] = false;
        options["configProperties"] = properties;
        await File.WriteAllTextAsync(_config, config.ToJsonString());
    }
}
