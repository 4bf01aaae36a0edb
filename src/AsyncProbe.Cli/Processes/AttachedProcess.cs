using System.Diagnostics;
using System.Globalization;
using System.Net.Sockets;
using System.Text;
using AsyncProbe.Cli.Sessions;
using AsyncProbe.StackSnapshots;

namespace AsyncProbe.Cli.Processes;

/// <summary>A process with a probe in it. The probe detaches within seconds after this is disposed or the tool dies.</summary>
internal sealed class AttachedProcess : IDisposable
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

    private readonly string _folder;
    private readonly Socket _hold;

    private AttachedProcess(DotnetProcess process, string folder, ProbeSocket socket, Socket hold) =>
        (Process, _folder, Socket, _hold) = (process, folder, socket, hold);

    public DotnetProcess Process { get; }

    public ProbeSocket Socket { get; }

    /// <summary>Joins the process's existing probe, or injects one. Blocks.</summary>
    /// <exception cref="AttachException">The process cannot be attached to; nothing was left behind.</exception>
    public static AttachedProcess Attach(DotnetProcess process, AttachSettings settings, CancellationToken cancellationToken)
    {
        var inside = ProcessFolders.Private(process.Entry);
        var folder = process.Entry.Root + inside;
        var socket = ProbeSocket.In(folder, process.Entry);
        if (socket.TryHold() is { } joined)
        {
            return new(process, folder, socket, joined);
        }

        if (process.Info.Major < FirstMajor)
        {
            throw new AttachException($"{process.Title} is older than .NET 8, the first runtime that can be attached to.");
        }

        Socket? hold = null;
        for (var attempt = 1; hold is null; attempt++)
        {
            hold = TryInject(process, folder, inside, socket, settings, mayTryAgain: attempt < MostAttempts, cancellationToken);
        }

        return new(process, folder, socket, hold);
    }

    /// <summary>Whether the process has a probe.</summary>
    public static bool IsAttached(DotnetProcess process)
    {
        using var hold = SocketOf(process).TryHold();
        return hold is not null;
    }

    /// <summary>Ends the probe in a process, even while other tools use it.</summary>
    /// <returns>Whether there was one.</returns>
    public static bool TryDetach(DotnetProcess process) => SocketOf(process).TryDetach();

    /// <summary>Joins the probe of a process that was started with it; null until the probe listens.</summary>
    /// <param name="process">The process.</param>
    /// <param name="folder">The folder that the process was started with.</param>
    public static AttachedProcess? Join(DotnetProcess process, string folder)
    {
        var socket = ProbeSocket.In(folder, process.Entry);
        return socket.TryHold() is { } hold ? new(process, folder, socket, hold) : null;
    }

    public void Dispose()
    {
        _hold.Dispose();
        if (HasEnded(Process))
        {
            // The probe couldn't clean up after itself.
            Remove(_folder);
        }
    }

    private static bool HasEnded(DotnetProcess process) => ProcessEntry.Find(process.Pid)?.StartTime != process.Entry.StartTime;

    private static ProbeSocket SocketOf(DotnetProcess process) =>
        ProbeSocket.In(process.Entry.Root + ProcessFolders.Private(process.Entry), process.Entry);

    /// <summary>Removes the injected files; the process has loaded them and no longer needs them.</summary>
    private static void Remove(string folder)
    {
        try
        {
            Directory.Delete(folder, recursive: true);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // The folder is already gone or in use: Windows locks loaded files.
        }
    }

    /// <returns>Null if the staged files are gone: another tool or its probe removed them when it left.</returns>
    private static Socket? TryInject(
        DotnetProcess process, string folder, string inside, ProbeSocket socket, AttachSettings settings, bool mayTryAgain,
        CancellationToken cancellationToken)
    {
        // A folder that isn't this tool's must not be removed, so this comes before the cleaning up below.
        PrivateFolder.Create(folder, process.Entry.UserId);
        var mark = Path.Combine(folder, Guid.NewGuid().ToString("N") + Mark);
        try
        {
            PrivateFolder.Write(mark, [], process.Entry.UserId);
            StagedParts.Stage(folder, inside, process.Entry.UserId, settings);
            return Inject(process, folder, inside, socket, cancellationToken);
        }
        catch (Exception e) when (mayTryAgain && e is AttachException or IOException && !StagedParts.AreIn(folder) && !HasEnded(process))
        {
            return null;
        }
        catch
        {
            RemoveUnused(folder, mark, socket);
            throw;
        }
        finally
        {
            Delete(mark);
        }
    }

    // Another tool may be attaching, or its probe may already listen in the folder.
    private static void RemoveUnused(string folder, string mark, ProbeSocket socket)
    {
        Delete(mark);
        using var other = socket.TryHold();
        if (other is null && Directory.Exists(folder) && Directory.GetFiles(folder, "*" + Mark).Length == 0)
        {
            Remove(folder);
        }
    }

    private static void Delete(string file)
    {
        try
        {
            File.Delete(file);
        }
        catch (IOException)
        {
            // The folder is gone, with everything in it.
        }
    }

    private static Socket Inject(
        DotnetProcess process, string folder, string inside, ProbeSocket socket, CancellationToken cancellationToken)
    {
        var sign = new SignOfLife(folder, process.Entry);
        Apply(process, inside + "/" + StagedParts.Hook);
        if (!sign.WasCalled)
        {
            throw new AttachException(
                $"{process.Title} loads nothing: it was published with startup hooks switched off (StartupHookSupport), as trimmed apps are.");
        }

        var since = Stopwatch.GetTimestamp();
        while (true)
        {
            if (socket.TryHold() is { } hold)
            {
                return hold;
            }

            if (sign.Failure is { } failure)
            {
                throw new AttachException(failure == SignOfLife.NoWebApplication
                    ? $"{process.Title} is not an ASP.NET Core application. asyncprobe look {process.Pid} shows where its threads are blocked."
                    : $"{process.Title} could not load the probe: {SafeText.From(failure)}");
            }

            if (HasEnded(process))
            {
                throw new AttachException($"{process.Title} has ended.");
            }

            if (Stopwatch.GetElapsedTime(since) > s_longest || !StagedParts.AreIn(folder))
            {
                throw new AttachException(
                    string.Create(CultureInfo.InvariantCulture, $"{process.Title} gave no sign of life within {s_longest.TotalSeconds} s. ")
                        + "The probe detaches if it starts later.");
            }

            cancellationToken.ThrowIfCancellationRequested();
            Thread.Sleep(s_look);
        }
    }

    private static void Apply(DotnetProcess process, string hook)
    {
        using var payload = new MemoryStream();
        using (var writer = new BinaryWriter(payload, Encoding.Unicode, leaveOpen: true))
        {
            RuntimeMessage.Write(writer, hook);
        }

        try
        {
            using var runtime = RuntimeConnection.Open(process.Runtime, s_longest);
            RuntimeMessage.Send(runtime, ProcessCommands, ApplyStartupHook, payload.ToArray());
            RuntimeMessage.ReadAnswer(runtime);
        }
        catch (RuntimeRefusedException e)
        {
            throw new AttachException(e.Error switch
            {
                NotSupported => $"{process.Title} was compiled ahead of time (Native AOT), and can load nothing.",
                UnknownCommand => $"{process.Title} is older than .NET 8, the first runtime that can be attached to.",
                _ => string.Create(CultureInfo.InvariantCulture, $"{process.Title} refuses to load the probe (error {e.Error:X8})."),
            }, e);
        }
        catch (IOException e)
        {
            throw new AttachException($"{process.Title} does not answer: {e.Message}", e);
        }
    }
}
