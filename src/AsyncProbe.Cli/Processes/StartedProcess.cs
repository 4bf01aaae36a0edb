using System.Diagnostics;
using System.Globalization;
using AsyncProbe.Cli.Server;

namespace AsyncProbe.Cli.Processes;

/// <summary>A command that runs with the hook in its environment. Only an ASP.NET Core application that it starts attaches.</summary>
internal sealed class StartedProcess : IDisposable
{
    private const string HookVariable = "DOTNET_STARTUP_HOOKS";

    private static readonly TimeSpan s_look = TimeSpan.FromMilliseconds(50);

    private readonly Process _process;
    private readonly string _folder;
    private readonly AttachSettings _settings;

    private StartedProcess(Process process, string folder, AttachSettings settings) =>
        (_process, _folder, _settings) = (process, folder, settings);

    /// <param name="words">The command and its arguments.</param>
    /// <param name="settings">What the probe should do.</param>
    /// <param name="messages">Where to write its output when stdout must hold only the tool's result; null to use the tool's own
    /// output.</param>
    /// <exception cref="ProcessException">It cannot be started.</exception>
    public static StartedProcess Start(string[] words, AttachSettings settings, TextWriter? messages)
    {
        var folder = Directory.CreateTempSubdirectory(ProcessFolders.Prefix + "start-").FullName;
        try
        {
            StagedParts.Stage(folder, folder, owner: null, settings with { Shared = true });
            var start = ChildProcesses.Prepare(words[0], words[1..]);
            start.RedirectStandardOutput = messages is not null;
            var hooks = Environment.GetEnvironmentVariable(HookVariable);
            var hook = Path.Combine(folder, StagedParts.Hook);
            start.Environment[HookVariable] = string.IsNullOrEmpty(hooks) ? hook : hooks + Path.PathSeparator + hook;
            var process = Process.Start(start)!;
            if (messages is not null)
            {
                process.OutputDataReceived += (_, line) =>
                {
                    // Null ends the output.
                    if (line.Data is not null)
                    {
                        messages.WriteLine(line.Data);
                    }
                };
                process.BeginOutputReadLine();
            }

            return new(process, folder, settings);
        }
        catch (Exception e)
        {
            PrivateFolder.Remove(folder);
            if (e is System.ComponentModel.Win32Exception or IOException)
            {
                throw new ProcessException($"\"{words[0]}\" cannot be started: {e.Message}", e);
            }

            throw;
        }
    }

    /// <summary>Waits for the application with the probe in it; null when the command ended first. Blocks.</summary>
    public AttachedProcess? AwaitProbe()
    {
        while (true)
        {
            var hasEnded = _process.HasExited;
            if (Directory.EnumerateFiles(_folder, "*.sock").Select(Join).OfType<AttachedProcess>().FirstOrDefault() is { } attached)
            {
                return attached;
            }

            if (hasEnded)
            {
                return null;
            }

            Thread.Sleep(s_look);
        }
    }

    /// <summary>Asks the command to end.</summary>
    public void Terminate()
    {
        if (!_process.HasExited)
        {
            ChildProcesses.AskToEnd(_process);
        }
    }

    /// <returns>Its exit code.</returns>
    public async Task<int> WaitAsync()
    {
        await _process.WaitForExitAsync();
        return _process.ExitCode;
    }

    public void Dispose()
    {
        Terminate();
        _process.Dispose();
        PrivateFolder.Remove(_folder);
    }

    private AttachedProcess? Join(string socket)
    {
        try
        {
            return int.TryParse(Path.GetFileNameWithoutExtension(socket), NumberStyles.None, CultureInfo.InvariantCulture, out var pid)
                && ProcessEntry.Find(pid) is { } entry
                ? AttachedProcess.Join(DotnetProcesses.Open(entry), _folder, _settings)
                : null;
        }
        catch (ProcessException)
        {
            // The process has just ended.
            return null;
        }
    }
}
