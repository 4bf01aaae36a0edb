using AsyncProbe.Cli.Load;
using AsyncProbe.Cli.Options;
using AsyncProbe.Cli.Processes;
using AsyncProbe.Cli.Server;

namespace AsyncProbe.Cli.Commands;

/// <summary>
/// The server of a run. <c>--server</c> starts it, or names a process that runs already. A server without a report of its own gets a probe,
/// so that both sides of the wire are measured.
/// </summary>
internal sealed class RunServer : IAsyncDisposable
{
    private readonly ServerProcess? _started;
    private readonly AttachedProcess? _attached;

    private RunServer(ProbeChoice probe, ServerProcess? started, AttachedProcess? attached)
    {
        (_started, _attached) = (started, attached);
        Probe = attached is null ? probe : ProbeChoice.Attached(attached.Socket.Connect, attached.Process.Title);
    }

    /// <summary>Where the run finds the server's report.</summary>
    public ProbeChoice Probe { get; }

    /// <param name="choice">What was typed; null when the server is whatever answers.</param>
    /// <param name="session">The session of the run.</param>
    /// <param name="probe">What was typed about the report.</param>
    /// <param name="messages">Where to say that the server can't get a probe.</param>
    public static async Task<RunServer> BeginAsync(
        ServerChoice? choice, PreparedSession session, ProbeChoice probe, TextWriter messages, CancellationToken interrupt)
    {
        if (choice is null)
        {
            return new(probe, started: null, attached: null);
        }

        ServerProcess? started = null;
        try
        {
            started = choice switch
            {
                { CommandLine: { } command } => await ServerProcess.StartAsync(command, session.Servers, interrupt),
                { Words: { } words } => await ServerProcess.StartAsync(words, session.Servers, interrupt),
                _ => null,
            };
            await Preflight.CheckAsync(session, interrupt);
            var attached = !probe.IsAuto ? null
                : choice.Process is { } process
                    ? await DedicatedThread.RunAsync(() => AttachedProcess.Attach(DotnetProcesses.Find(process), new(), interrupt))
                : await DedicatedThread.RunAsync(() => Attach(started!, session, probe, messages, interrupt));
            return new(probe, started, attached);
        }
        catch when (started is not null)
        {
            // Otherwise a server that fails the preflight check would outlive the command.
            await started.DisposeAsync();
            throw;
        }
    }

    public async ValueTask DisposeAsync()
    {
        try
        {
            if (_started is not null)
            {
                await _started.DisposeAsync();
            }
        }
        finally
        {
            // After the process, so that the files can be removed that its probe leaves behind.
            _attached?.Dispose();
        }
    }

    private static AttachedProcess? Attach(
        ServerProcess started, PreparedSession session, ProbeChoice probe, TextWriter messages, CancellationToken interrupt)
    {
        var target = session.Requests[0].Url;
        using var client = new ReportClient(probe.GetReportUrl(target), session.Settings.Insecure, http2: session.Settings.Http2);
        if (client.Read(ReportPoller.Usual, interrupt).Snapshot is not null)
        {
            return null;
        }

        try
        {
            var pid = PortOwner.Find(target.Port, started.Pid);
            var entry = ProcessEntry.Find(pid) ?? throw new ProcessException($"Process {pid} has ended.");
            return AttachedProcess.Attach(DotnetProcesses.Open(entry), new(), interrupt);
        }
        catch (ProcessException e)
        {
            messages.WriteLine($"Only the client's side is measured. {e.Message}");
            return null;
        }
    }
}
