using System.Net.Sockets;
using AsyncProbe.Cli.Server;

namespace AsyncProbe.Cli.Processes;

/// <summary>A process with a probe in it. The probe detaches within seconds after this is disposed or the tool dies.</summary>
internal sealed class AttachedProcess : IDisposable
{
    private readonly string _folder;
    private readonly Socket _hold;

    private AttachedProcess(DotnetProcess process, string folder, ProbeSocket socket, Socket hold) =>
        (Process, _folder, Socket, _hold) = (process, folder, socket, hold);

    public DotnetProcess Process { get; }

    public ProbeSocket Socket { get; }

    /// <summary>Joins the process's existing probe, or injects one. Blocks.</summary>
    /// <exception cref="ProcessException">The process cannot be attached to; nothing was left behind.</exception>
    public static AttachedProcess Attach(DotnetProcess process, AttachSettings settings, CancellationToken cancellationToken)
    {
        var injection = new Injection(process, settings);
        var hold = injection.Socket.TryHold(settings) ?? injection.Run(cancellationToken);
        return new(process, injection.Folder, injection.Socket, hold);
    }

    /// <summary>Whether the process has a probe.</summary>
    public static bool IsAttached(DotnetProcess process)
    {
        using var hold = SocketOf(process).TryHold(AttachSettings.None);
        return hold is not null;
    }

    /// <summary>Ends the probe in a process, even while other tools use it.</summary>
    /// <returns>Whether there was one.</returns>
    public static bool TryDetach(DotnetProcess process) => SocketOf(process).TryDetach();

    /// <summary>Joins the probe of a process that was started with it; null until the probe listens.</summary>
    /// <param name="folder">The folder that the process was started with.</param>
    /// <param name="settings">What the probe should do.</param>
    public static AttachedProcess? Join(DotnetProcess process, string folder, AttachSettings settings)
    {
        var socket = ProbeSocket.In(folder, process.Entry);
        return socket.TryHold(settings) is { } hold ? new(process, folder, socket, hold) : null;
    }

    public void Dispose()
    {
        _hold.Dispose();
        if (Process.HasEnded)
        {
            // The probe couldn't clean up after itself.
            PrivateFolder.Remove(_folder);
        }
    }

    private static ProbeSocket SocketOf(DotnetProcess process) =>
        ProbeSocket.In(process.Entry.Root + ProcessFolders.Private(process.Entry), process.Entry);
}
