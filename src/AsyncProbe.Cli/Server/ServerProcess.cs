using System.Diagnostics;
using System.Net.Sockets;

namespace AsyncProbe.Cli.Server;

/// <summary>The server under test, which is started by a command and stopped with all its child processes.</summary>
internal sealed class ServerProcess : IAsyncDisposable
{
    private const int KeptLines = 15;

    private static readonly TimeSpan StartTimeout = TimeSpan.FromSeconds(60);
    private static readonly TimeSpan StopTimeout = TimeSpan.FromSeconds(5);

    private readonly Process _process;
    private readonly Queue<string> _lastLines = [];

    private ServerProcess(ProcessStartInfo start)
    {
        start.RedirectStandardOutput = true;
        start.RedirectStandardError = true;
        _process = new Process { StartInfo = start };
        _process.OutputDataReceived += Keep;
        _process.ErrorDataReceived += Keep;
    }

    public int Pid => _process.Id;

    /// <summary>Starts a command line in a shell.</summary>
    /// <exception cref="ProcessException">It ended or didn't listen in time; the message contains its last lines.</exception>
    public static Task<ServerProcess> StartAsync(string command, IReadOnlyList<Uri> sites, CancellationToken cancellationToken) =>
        StartAsync(
            OperatingSystem.IsWindows()
                ? ChildProcesses.Prepare("cmd.exe", ["/c", command])
                : ChildProcesses.Prepare("/bin/sh", ["-c", command]),
            command, sites, cancellationToken);

    /// <summary>Starts a program with its arguments.</summary>
    /// <exception cref="ProcessException">It can't be started, ended, or didn't listen in time.</exception>
    public static Task<ServerProcess> StartAsync(string[] words, IReadOnlyList<Uri> sites, CancellationToken cancellationToken) =>
        StartAsync(ChildProcesses.Prepare(words[0], words[1..]), string.Join(' ', words), sites, cancellationToken);

    private static async Task<ServerProcess> StartAsync(
        ProcessStartInfo start, string command, IReadOnlyList<Uri> sites, CancellationToken cancellationToken)
    {
        foreach (var site in sites)
        {
            if (await ListensAsync(site, cancellationToken))
            {
                throw new ProcessException(
                    $"Something already listens at {site.Authority}. Stop it, so that --server can start the server for every run.");
            }
        }

        var server = new ServerProcess(start);
        try
        {
            server._process.Start();
        }
        catch (System.ComponentModel.Win32Exception e)
        {
            throw new ProcessException($"\"{start.FileName}\" cannot be started: {e.Message}");
        }

        server._process.BeginOutputReadLine();
        server._process.BeginErrorReadLine();
        try
        {
            await server.WaitUntilItListensAsync(sites, command, cancellationToken);
            return server;
        }
        catch
        {
            await server.DisposeAsync();
            throw;
        }
    }

    public async ValueTask DisposeAsync()
    {
        if (!_process.HasExited)
        {
            await ChildProcesses.EndAsync(_process, StopTimeout);
        }

        _process.Dispose();
    }

    private async Task WaitUntilItListensAsync(IReadOnlyList<Uri> sites, string command, CancellationToken cancellationToken)
    {
        var began = Stopwatch.GetTimestamp();
        foreach (var site in sites)
        {
            while (!await ListensAsync(site, cancellationToken))
            {
                if (_process.HasExited || Stopwatch.GetElapsedTime(began) > StartTimeout)
                {
                    var what = _process.HasExited
                        ? $"ended with code {_process.ExitCode}"
                        : $"did not listen at {site.Authority} within {StartTimeout.TotalSeconds} s";
                    throw new ProcessException($"The server command \"{command}\" {what}.{Environment.NewLine}{LastLines()}");
                }

                await Task.Delay(100, cancellationToken);
            }
        }
    }

    private static async Task<bool> ListensAsync(Uri site, CancellationToken cancellationToken)
    {
        using var client = new TcpClient();
        try
        {
            await client.ConnectAsync(site.IdnHost, site.Port, cancellationToken);
            return true;
        }
        catch (SocketException)
        {
            return false;
        }
    }

    private void Keep(object sender, DataReceivedEventArgs line)
    {
        lock (_lastLines)
        {
            if (line.Data is not null)
            {
                _lastLines.Enqueue(line.Data);
            }

            if (_lastLines.Count > KeptLines)
            {
                _lastLines.Dequeue();
            }
        }
    }

    private string LastLines()
    {
        lock (_lastLines)
        {
            return string.Join(Environment.NewLine, _lastLines);
        }
    }
}
