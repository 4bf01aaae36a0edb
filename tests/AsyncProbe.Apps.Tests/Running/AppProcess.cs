using System.Diagnostics;
using System.Text.Json;

namespace AsyncProbe.Apps.Tests.Running;

/// <summary>One of the applications, started as its users would start it: in its own process, logging to its console.</summary>
internal sealed class AppProcess : ChildProcess
{
    private readonly string _data;

    private AppProcess(ProcessStartInfo start, string data)
        : base(start) => _data = data;

    public static string FolderOf(string app) => Path.Combine(Repository.Folder, "tests", "Apps", app);

    public static async Task<AppProcess> StartAsync(string app, AppSetting setting)
    {
        var folder = FolderOf(app);
        var data = Directory.CreateTempSubdirectory("asyncprobe-apps").FullName;
        var start = Dotnet(Path.Combine(folder, "bin", setting.Configuration, "net10.0", app + ".dll"));
        start.WorkingDirectory = folder;
        Set(start.Environment, setting, data);
        var process = new AppProcess(start, data);
        await process.ListenAsync();
        return process;
    }

    /// <summary>Endpoints and operations.</summary>
    public static IEnumerable<JsonElement> Rows(JsonElement report) =>
        new[] { "endpoints", "operations" }.SelectMany(table => report.GetProperty(table).EnumerateArray());

    /// <summary>
    /// The report once nothing is in flight and everything is counted: the client gets its answer a moment before the server counts it.
    /// </summary>
    /// <param name="requests">How many requests the server received in total.</param>
    public async Task<JsonElement> ReportAsync(long requests)
    {
        await Eventually.BecomesTrueAsync(
            async () =>
            {
                var rows = Rows(await ReportAsync());
                return rows.Sum(e => e.GetProperty("requests").GetInt64()) >= requests
                    && rows.All(e => e.GetProperty("inFlight").GetInt32() == 0);
            },
            TimeSpan.FromSeconds(60));

        // The watcher logs and samples a few times a second; give it time to add the last evidence.
        await Task.Delay(500);
        return await ReportAsync();
    }

    public override async ValueTask DisposeAsync()
    {
        await base.DisposeAsync();
        Directory.Delete(_data, recursive: true);
    }

    private static void Set(IDictionary<string, string?> environment, AppSetting setting, string data)
    {
        environment["ASPNETCORE_ENVIRONMENT"] = setting.Environment;
        environment["ASPNETCORE_URLS"] = "http://127.0.0.1:0";
        environment["ConnectionStrings__Notes"] = $"Data Source={Path.Combine(data, "notes.db")}";
        environment["AsyncProbe__AllowLocal"] = "true";
        environment["AsyncProbe__Enabled"] = setting.HasProbe ? "true" : "false";
        environment["StackSnapshots"] = setting.HasSnapshots ? "true" : "false";
        environment["AsyncProbe__StackSnapshots__Interval"] = "00:00:01";

        // Release builds are judged hot, as they'd be after days in production: a few calls are enough for optimised code.
        if (setting.Configuration == "Release")
        {
            environment["DOTNET_TC_CallCountThreshold"] = "8";
            environment["DOTNET_TC_CallCountingDelayMs"] = "0";
        }

        foreach (var (name, value) in setting.Settings)
        {
            environment[name] = value;
        }
    }
}
