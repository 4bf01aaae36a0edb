using System.Diagnostics;

namespace AsyncProbe.Faults.Tests;

/// <summary>The fault host in its own process.</summary>
internal sealed class FaultHostProcess : ChildProcess
{
    private FaultHostProcess(ProcessStartInfo start)
        : base(start)
    {
    }

    /// <param name="arguments">The host's arguments.</param>
    /// <param name="folder">The host's folder; null for the host as it was built.</param>
    /// <param name="limits">A prefix for the command: "prlimit --nofile=200".</param>
    /// <param name="configure">Changes the environment.</param>
    public static async Task<FaultHostProcess> StartAsync(
        IEnumerable<string> arguments, string? folder = null, string limits = "", Action<ProcessStartInfo>? configure = null)
    {
        var start = Dotnet("AsyncProbe.FaultHost.dll", arguments);
        if (folder is not null)
        {
            start = new ProcessStartInfo(start.FileName, [Path.Combine(folder, "AsyncProbe.FaultHost.dll"), .. arguments])
            {
                WorkingDirectory = folder,
            };
        }

        if (limits.Split(' ', StringSplitOptions.RemoveEmptyEntries) is [var first, .. var rest])
        {
            start = new ProcessStartInfo(first, [.. rest, start.FileName, .. start.ArgumentList]) { WorkingDirectory = start.WorkingDirectory };
        }

        // Compile as in a long-running process: recompiling in the background would starve on a small machine.
        start.Environment["DOTNET_TieredPGO"] = "0";
        configure?.Invoke(start);
        var host = new FaultHostProcess(start);
        await host.ListenAsync();
        return host;
    }

    /// <summary>Sends a POST and returns the answer.</summary>
    public async Task<string> PostAsync(string path, string body = "")
    {
        using var content = new StringContent(body);
        using var answer = await Client.PostAsync(new Uri(path, UriKind.Relative), content);
        return await answer.Content.ReadAsStringAsync();
    }
}
