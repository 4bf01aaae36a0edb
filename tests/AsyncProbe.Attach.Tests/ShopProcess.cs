using System.Diagnostics;
using System.Text.Json;
using AsyncProbe.Cli.Processes;

namespace AsyncProbe.Attach.Tests;

/// <summary>The application of AsyncProbe.AttachTarget in Production, in its own process.</summary>
internal sealed class ShopProcess : ChildProcess
{
    private readonly string _folders;

    private ShopProcess(ProcessStartInfo start)
        : base(start) => _folders = $"{ProcessFolders.Prefix}{Pid}-{ProcessEntry.Find(Process.Id)!.StartTime}";

    public string Pid => Process.Id.ToString(System.Globalization.CultureInfo.InvariantCulture);

    /// <summary>The private folders that tools created for this process.</summary>
    public string[] Folders => Directory.GetDirectories(Path.GetTempPath(), _folders);

    /// <summary>The built library, for <c>dotnet</c> to run.</summary>
    public static string Built(string project, string name) => Path.Combine(
        Repository.Folder, "tests", project, "bin",
        Path.GetRelativePath(Path.Combine(AppContext.BaseDirectory, "..", ".."), AppContext.BaseDirectory), name);

    public static Task<ShopProcess> StartAsync(params string[] arguments) =>
        RunAsync(Built("AsyncProbe.AttachTarget", "Shop.dll"), [], arguments);

    /// <summary>The same application with the package in it.</summary>
    public static Task<ShopProcess> StartWithPackageAsync(params string[] arguments) =>
        RunAsync(Built("AsyncProbe.PackageTarget", "ShopWithPackage.dll"), [], arguments);

    /// <param name="program">A library for <c>dotnet</c>, or an executable.</param>
    /// <param name="environment">What to add to the environment.</param>
    /// <param name="arguments">The program's arguments.</param>
    public static Task<ShopProcess> RunAsync(string program, Dictionary<string, string> environment, params string[] arguments) =>
        RunAsync(Path.GetExtension(program) == ".dll" ? ["dotnet", "exec", program, .. arguments] : [program, .. arguments], environment);

    /// <summary>Runs a command, and waits until the application listens.</summary>
    public static async Task<ShopProcess> RunAsync(string[] command, Dictionary<string, string>? environment = null)
    {
        var shop = Start([.. command, "--urls", "http://127.0.0.1:0"], environment ?? []);
        await shop.ListenAsync();
        return shop;
    }

    /// <summary>Runs an application that serves no requests.</summary>
    public static async Task<ShopProcess> RunWorkerAsync(string[] command, Dictionary<string, string>? environment = null)
    {
        var shop = Start(command, environment ?? []);
        await shop.LineAsync("Application started");
        return shop;
    }

    public async Task<JsonElement> CountersAsync() => JsonDocument.Parse(await TextAsync("/counters")).RootElement;

    /// <summary>Waits until the process contains nothing of a probe any more.</summary>
    public Task BecomesFreeAsync() =>
        Eventually.TrueAsync(() => Folders.Length == 0, () => $"still attached: {string.Join(", ", Folders)}", Timeout);

    private static ShopProcess Start(string[] command, Dictionary<string, string> environment)
    {
        var start = new ProcessStartInfo(command[0], command[1..]) { WorkingDirectory = Path.GetDirectoryName(command.First(File.Exists)) };
        foreach (var (name, value) in environment)
        {
            start.Environment[name] = value;
        }

        return new(start);
    }
}
