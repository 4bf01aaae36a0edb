using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;

namespace AsyncProbe.Faults.Tests;

/// <summary>The fault host in its own process.</summary>
internal sealed partial class FaultHostProcess : ChildProcess
{
    private const int Terminate = 15;

    private FaultHostProcess(ProcessStartInfo start)
        : base(start)
    {
    }

    /// <summary>Where the host lies as it was built, in Release.</summary>
    public static string BuiltFolder { get; } = Path.Combine(Repository.Folder, "tests", "AsyncProbe.FaultHost", "bin", "Release", "net10.0");

    /// <summary>The file whose text shifts the host's clock, if a library that reads it is loaded.</summary>
    public string Clock { get; private init; } = "";

    public bool IsProbed { get; private init; } = true;

    /// <summary>Starts the host to which the fault will happen.</summary>
    public static async Task<FaultHostProcess> StartAsync(Fault fault, bool isProbed, int lifeline, string? folder)
    {
        var clock = Path.Combine(Path.GetTempPath(), $"asyncprobe-clock-{Guid.NewGuid():N}");
        await File.WriteAllTextAsync(clock, "+0");
        var start = Start(
            ["--probe", isProbed ? "on" : "off", "--lifeline", lifeline.ToString(CultureInfo.InvariantCulture), .. fault.Arguments],
            folder, fault.Limits);
        foreach (var (name, value) in fault.Variables)
        {
            start.Environment[name] = value.Replace("%clock%", clock, StringComparison.Ordinal);
        }

        var host = new FaultHostProcess(start) { Clock = clock, IsProbed = isProbed };
        await host.ListenAsync();
        return host;
    }

    /// <param name="arguments">The host's arguments.</param>
    /// <param name="folder">The host's folder; null for the host as it was built.</param>
    /// <param name="limits">A prefix for the command: "prlimit --nofile=200".</param>
    /// <param name="configure">Changes the environment.</param>
    public static async Task<FaultHostProcess> StartAsync(
        IEnumerable<string> arguments, string? folder = null, string limits = "", Action<ProcessStartInfo>? configure = null)
    {
        var start = Start(arguments, folder, limits.Split(' ', StringSplitOptions.RemoveEmptyEntries));
        configure?.Invoke(start);
        var host = new FaultHostProcess(start);
        await host.ListenAsync();
        return host;
    }

    private static ProcessStartInfo Start(IEnumerable<string> arguments, string? folder, string[] limits)
    {
        folder ??= BuiltFolder;
        string[] command = [.. limits, Dotnet("AsyncProbe.FaultHost.dll").FileName, Path.Combine(folder, "AsyncProbe.FaultHost.dll"), .. arguments];
        var start = new ProcessStartInfo(command[0], command[1..]) { WorkingDirectory = folder };

        // Compile as in a long-running process: recompiling in the background would starve on a small machine.
        start.Environment["DOTNET_TieredPGO"] = "0";
        return start;
    }

    public override async ValueTask DisposeAsync()
    {
        await base.DisposeAsync();
        if (Clock.Length > 0)
        {
            File.Delete(Clock);
        }
    }

    /// <summary>Asks the host to stop, as an orchestrator does, and fails if it reports an error or doesn't end.</summary>
    public async Task StopAsync()
    {
        await EndQuietlyAsync();
        if (Process.ExitCode != 0)
        {
            throw new InvalidOperationException($"The host ended with code {Process.ExitCode}.");
        }
    }

    /// <summary>The same, whatever its exit code.</summary>
    public async Task EndQuietlyAsync()
    {
        _ = Signal(Process.Id, Terminate);
        await Process.WaitForExitAsync().WaitAsync(Timeout);
    }

    /// <summary>Sends a POST and returns the answer.</summary>
    public async Task<string> PostAsync(string path, string body = "")
    {
        using var content = new StringContent(body);
        using var answer = await Client.PostAsync(new Uri(path, UriKind.Relative), content);
        return await answer.Content.ReadAsStringAsync();
    }

    [LibraryImport("libc", EntryPoint = "kill")]
    public static partial int Signal(int process, int signal);
}
