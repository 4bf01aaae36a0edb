using System.Collections.Concurrent;
using System.Diagnostics;
using System.Text.Json;
using System.Text.RegularExpressions;

namespace AsyncProbe.Apps.Tests.Running;

/// <summary>One of the applications, started as its users would start it: a process of its own that logs to its console.</summary>
internal sealed partial class AppProcess : IAsyncDisposable
{
    private static readonly TimeSpan s_timeout = TimeSpan.FromSeconds(60);

    private readonly Process _process;
    private readonly string _data = Directory.CreateTempSubdirectory("asyncprobe-apps").FullName;
    private readonly ConcurrentQueue<string> _lines = new();
    private readonly TaskCompletionSource<Uri> _address = new(TaskCreationOptions.RunContinuationsAsynchronously);

    private AppProcess(string app, AppSetting setting)
    {
        var folder = FolderOf(app);
        var start = new ProcessStartInfo("dotnet")
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            WorkingDirectory = folder,
        };
        start.ArgumentList.Add(Path.Combine(folder, "bin", setting.Configuration, "net10.0", app + ".dll"));
        Set(start.Environment, setting);
        _process = new Process { StartInfo = start };
        _process.OutputDataReceived += (_, e) => Note(e.Data);
        _process.ErrorDataReceived += (_, e) => Note(e.Data);
        _process.Start();
        _process.BeginOutputReadLine();
        _process.BeginErrorReadLine();
    }

    public HttpClient Client { get; private set; } = null!;

    public string LogText => string.Join('\n', _lines);

    public static string FolderOf(string app) => Path.Combine(Repository.Folder, "tests", "Apps", app);

    public static async Task<AppProcess> StartAsync(string app, AppSetting setting)
    {
        var process = new AppProcess(app, setting);
        try
        {
            var address = await process._address.Task.WaitAsync(s_timeout);
            process.Client = new HttpClient(new SocketsHttpHandler { UseProxy = false, UseCookies = false }) { BaseAddress = address, Timeout = s_timeout };
            return process;
        }
        catch (TimeoutException)
        {
            var log = process.LogText;
            await process.DisposeAsync();
            throw new InvalidOperationException($"{app} ({setting}) did not start:\n{log}");
        }
    }

    public async Task<JsonElement> ReportAsync() =>
        JsonDocument.Parse(await Client.GetStringAsync(new Uri("/_threadpool", UriKind.Relative))).RootElement;

    /// <summary>The report once nothing is under way and all is counted: the client has its answer a moment before the server has counted it.</summary>
    /// <param name="requests">How many requests the server got in all.</param>
    public async Task<JsonElement> ReportAsync(long requests)
    {
        JsonElement report;
        var waited = Stopwatch.StartNew();
        do
        {
            await Task.Delay(100);
            report = await ReportAsync();
        }
        while (waited.Elapsed < TimeSpan.FromSeconds(5)
            && (report.GetProperty("endpoints").EnumerateArray().Sum(e => e.GetProperty("requests").GetInt64()) < requests
                || report.GetProperty("endpoints").EnumerateArray().Any(e => e.GetProperty("inFlight").GetInt32() > 0)));

        // The watcher logs and samples a few times a second; what it still has to say belongs to the evidence.
        await Task.Delay(500);
        return await ReportAsync();
    }

    public async ValueTask DisposeAsync()
    {
        Client?.Dispose();
        if (!_process.HasExited)
        {
            // A starved server does not hear a request to stop.
            _process.Kill(entireProcessTree: true);
        }

        await _process.WaitForExitAsync().WaitAsync(s_timeout);
        _process.Dispose();
        Directory.Delete(_data, recursive: true);
    }

    private void Set(IDictionary<string, string?> environment, AppSetting setting)
    {
        environment["ASPNETCORE_ENVIRONMENT"] = setting.Environment;
        environment["ASPNETCORE_URLS"] = "http://127.0.0.1:0";
        environment["ConnectionStrings__Notes"] = $"Data Source={Path.Combine(_data, "notes.db")}";
        environment["AsyncProbe__AllowLocal"] = "true";
        environment["AsyncProbe__Enabled"] = setting.HasProbe ? "true" : "false";

        // Release is judged hot, as it runs in production for days: a few calls are enough for optimised code.
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

    private void Note(string? line)
    {
        if (line is null)
        {
            return;
        }

        _lines.Enqueue(line);
        if (Listening().Match(line) is { Success: true } match)
        {
            _address.TrySetResult(new Uri(match.Groups[1].Value));
        }
    }

    [GeneratedRegex(@"Now listening on: (http://\S+)")]
    private static partial Regex Listening();
}
