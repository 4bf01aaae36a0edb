using System.Diagnostics;
using System.Text.Json;

namespace AsyncProbe.Truth.Tests;

/// <summary>The server with its rows, in a separate process.</summary>
internal sealed class TruthProcess : ChildProcess
{
    private TruthProcess(ProcessStartInfo start)
        : base(start)
    {
    }

    public static async Task<TruthProcess> StartAsync(RuntimeSetting setting, string rows)
    {
        var start = Dotnet(
            "AsyncProbe.TruthServer.dll",
            "--urls", "http://127.0.0.1:0",
            "--rows", rows,
            "--environment", setting.IsDevelopment ? "Development" : "Production",
            "--snapshots", setting.HasSnapshots ? "true" : "false",
            "--AsyncProbe:AllowRemote", "true",
            "--AsyncProbe:UserAssemblies:0", Generator.RowCompiler.AssemblyName,
            "--AsyncProbe:MaxWarningsPerHour", "10000",
            "--AsyncProbe:StackSnapshots:Interval", "00:00:01");

        // As many threads as there are concurrent clients: this test isn't about a starved pool.
        start.Environment["DOTNET_ThreadPool_ForceMinWorkerThreads"] = "40";
        start.Environment["NO_COLOR"] = "1";
        if (!setting.IsLoud)
        {
            start.Environment["Logging__LogLevel__Microsoft.AspNetCore"] = "Warning";
        }

        foreach (var (name, value) in setting.Environment)
        {
            start.Environment[name] = value;
        }

        var server = new TruthProcess(start);
        await server.ListenAsync();
        return server;
    }

    public async Task<JsonElement> JsonAsync(HttpClient client, string path) =>
        JsonDocument.Parse(await client.GetStringAsync(new Uri(Address, path))).RootElement;
}
