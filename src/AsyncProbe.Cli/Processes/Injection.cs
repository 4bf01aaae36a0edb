using System.Diagnostics;
using System.Globalization;
using System.Net.Sockets;
using System.Text;
using AsyncProbe.Cli.Server;
using AsyncProbe.Cli.Sessions;
using AsyncProbe.StackSnapshots.Runtimes;

namespace AsyncProbe.Cli.Processes;

/// <summary>Loads a probe into a process: copies its files, has the runtime load the hook, and waits until the probe listens.</summary>
internal sealed class Injection
{
    /// <summary>The first .NET version that can load a hook at run time.</summary>
    public const int FirstMajor = 8;

    /// <summary>The ending of a file that says that a tool is attaching.</summary>
    private const string Mark = ".tool";

    private const int MostAttempts = 3;
    private const byte ProcessCommands = 4;
    private const byte ApplyStartupHook = 7;
    private const uint UnknownCommand = 0x80131385;
    private const uint NotSupported = 0x80131515;

    private static readonly TimeSpan s_longest = TimeSpan.FromSeconds(30);
    private static readonly TimeSpan s_look = TimeSpan.FromMilliseconds(20);

    private readonly DotnetProcess _process;
    private readonly AttachSettings _settings;

    // The folder as the process sees it.
    private readonly string _inside;
    private readonly string _mark;

    public Injection(DotnetProcess process, AttachSettings settings)
    {
        (_process, _settings, _inside) = (process, settings, ProcessFolders.Private(process.Entry));
        Folder = process.Entry.Root + _inside;
        Socket = ProbeSocket.In(Folder, process.Entry);
        _mark = Path.Combine(Folder, Guid.NewGuid().ToString("N") + Mark);
    }

    /// <summary>The process's private folder, as seen from here.</summary>
    public string Folder { get; }

    public ProbeSocket Socket { get; }

    /// <summary>Blocks.</summary>
    /// <returns>Keeps the probe attached.</returns>
    /// <exception cref="ProcessException">The process cannot be attached to; nothing was left behind.</exception>
    public Socket Run(CancellationToken cancellationToken)
    {
        if (_process.Info.Major < FirstMajor)
        {
            throw TooOld();
        }

        LeftFolders.Remove(Path.GetTempPath());
        Socket? hold = null;
        for (var attempt = 1; hold is null; attempt++)
        {
            hold = Try(mayTryAgain: attempt < MostAttempts, cancellationToken);
        }

        return hold;
    }

    /// <returns>Null if files are gone: another tool or its probe removes them when it leaves.</returns>
    private Socket? Try(bool mayTryAgain, CancellationToken cancellationToken)
    {
        // A folder that isn't this tool's must not be removed, so this comes before the cleaning up below.
        PrivateFolder.Create(Folder, _process.Entry.UserId);
        try
        {
            PrivateFolder.Write(_mark, [], _process.Entry.UserId);
            StagedParts.Stage(Folder, _inside, _process.Entry.UserId, _settings);
            return Inject(mayTryAgain, cancellationToken);
        }
        catch (Exception e) when (mayTryAgain && e is ProcessException or IOException && !StagedParts.AreIn(Folder) && !_process.HasEnded)
        {
            return null;
        }
        catch
        {
            RemoveUnused();
            throw;
        }
        finally
        {
            RemoveMark();
        }
    }

    private Socket? Inject(bool mayTryAgain, CancellationToken cancellationToken)
    {
        var sign = new SignOfLife(Folder, _process.Entry);
        Apply(_inside + "/" + StagedParts.Hook);
        if (!sign.WasCalled)
        {
            if (mayTryAgain)
            {
                // A probe that leaves may have removed the sign. Let it finish.
                Thread.Sleep(s_look);
                return null;
            }

            throw new ProcessException(
                $"{_process.Title} loads nothing: it was published with startup hooks switched off (StartupHookSupport), as trimmed apps are.");
        }

        var since = Stopwatch.GetTimestamp();
        while (true)
        {
            if (Socket.TryHold(_settings) is { } hold)
            {
                return hold;
            }

            if (sign.Failure is { } failure)
            {
                throw new ProcessException(failure == SignOfLife.NoWebApplication
                    ? $"{_process.Title} is not an ASP.NET Core application. asyncprobe look {_process.Pid} shows where its threads are blocked."
                    : $"{_process.Title} could not load the probe: {SafeText.From(failure)}");
            }

            if (_process.HasEnded)
            {
                throw new ProcessException($"{_process.Title} has ended.");
            }

            if (!StagedParts.AreIn(Folder))
            {
                throw new ProcessException($"Another tool removed the probe's files before {_process.Title} had loaded them. Try again.");
            }

            if (Stopwatch.GetElapsedTime(since) > s_longest)
            {
                throw new ProcessException(
                    string.Create(CultureInfo.InvariantCulture, $"{_process.Title} gave no sign of life within {s_longest.TotalSeconds} s. ")
                        + "The probe detaches if it starts later.");
            }

            cancellationToken.ThrowIfCancellationRequested();
            Thread.Sleep(s_look);
        }
    }

    private void Apply(string hook)
    {
        using var payload = new MemoryStream();
        using (var writer = new BinaryWriter(payload, Encoding.Unicode, leaveOpen: true))
        {
            RuntimeMessage.Write(writer, hook);
        }

        try
        {
            using var runtime = RuntimeConnection.Open(_process.Runtime, s_longest);
            RuntimeMessage.Send(runtime, ProcessCommands, ApplyStartupHook, payload.ToArray());
            RuntimeMessage.ReadAnswer(runtime);
        }
        catch (RuntimeRefusedException e)
        {
            throw e.Error switch
            {
                NotSupported => new ProcessException($"{_process.Title} was compiled ahead of time (Native AOT), and can load nothing.", e),
                UnknownCommand => TooOld(e),
                _ => new ProcessException(
                    string.Create(CultureInfo.InvariantCulture, $"{_process.Title} refuses to load the probe (error {e.Error:X8})."), e),
            };
        }
        catch (IOException e)
        {
            throw new ProcessException($"{_process.Title} does not answer: {e.Message}", e);
        }
    }

    private ProcessException TooOld(Exception? cause = null) =>
        new($"{_process.Title} is older than .NET 8, the first runtime that can be attached to.", cause);

    // Another tool may be attaching, or its probe may already listen in the folder, even if a stopped process doesn't answer. A tool
    // removes its mark after its probe has begun to listen, so look for marks first.
    private void RemoveUnused()
    {
        RemoveMark();
        if (Directory.Exists(Folder) && Directory.GetFiles(Folder, "*" + Mark).Length == 0 && !Socket.IsOpen())
        {
            PrivateFolder.Remove(Folder);
        }
    }

    private void RemoveMark()
    {
        try
        {
            File.Delete(_mark);
        }
        catch (IOException)
        {
            // The folder is gone, with everything in it.
        }
    }
}
