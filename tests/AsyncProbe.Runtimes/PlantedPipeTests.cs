using System.Diagnostics;
using System.IO.Pipes;
using System.Runtime.Versioning;
using AsyncProbe.StackSnapshots.Runtimes;

namespace AsyncProbe.Runtimes;

/// <summary>On Windows any process may use any pipe name, so another one may listen under the name of this one's runtime.</summary>
[SupportedOSPlatform("windows")]
public sealed class PlantedPipeTests
{
    private static readonly TimeSpan s_timeout = TimeSpan.FromSeconds(60);

    [Fact]
    public async Task Pipe_IsNotAsked_WhenAnotherProcessListens()
    {
        var name = $"dotnet-diagnostic-{Environment.ProcessId}";

        // While the runtime waits for the first client to speak, it listens for one more. The next client connects to the other process.
        using var first = new NamedPipeClientStream(".", name, PipeDirection.InOut);
        using var second = new NamedPipeClientStream(".", name, PipeDirection.InOut);
        first.Connect(s_timeout);
        second.Connect(s_timeout);
        using var other = Process.Start(
            new ProcessStartInfo(Environment.ProcessPath!, ["listen", name]) { RedirectStandardOutput = true })!;
        try
        {
            (await LineAsync(other)).ShouldBe(PipeListener.Listening);

            var refused = await OnAThreadAsync(() => RuntimePipe.Connect(Environment.ProcessId, s_timeout, s_timeout).Dispose());

            refused.ShouldBeOfType<IOException>().Message
                .ShouldBe($"the runtime's diagnostics pipe belongs to another process (number {other.Id}), which was not asked.");
            (await LineAsync(other)).ShouldBe(PipeListener.Received + "0");
        }
        finally
        {
            other.Kill();
        }

        // If this client left before the runtime saw it, the runtime might stop listening forever. So the second gets its answer first.
        first.Dispose();
        (await OnAThreadAsync(() => RuntimeServer.EnsureAnswers(second))).ShouldBeNull();
        second.Dispose();
        (await OnAThreadAsync(() => RuntimeConnection.Open(DiagnosticsSocket.Address, s_timeout).Dispose())).ShouldBeNull();
    }

    private static Task<string?> LineAsync(Process process) => process.StandardOutput.ReadLineAsync().WaitAsync(s_timeout);

    /// <summary>The exception that the action threw, if any.</summary>
    private static Task<Exception?> OnAThreadAsync(Action action) => Task.Factory.StartNew<Exception?>(
        () => Record.Exception(action), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default)
        .WaitAsync(2 * s_timeout);
}
