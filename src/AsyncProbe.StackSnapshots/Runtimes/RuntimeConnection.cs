using System.Net.Sockets;

namespace AsyncProbe.StackSnapshots.Runtimes;

/// <summary>
/// Connects to a process's runtime: over a Unix socket, or over a pipe on Windows. All calls block and need no pool thread.
/// </summary>
internal static class RuntimeConnection
{
    // The runtime answers within a millisecond, or a few hundred on a crowded machine. While it writes a dump, it doesn't answer.
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(3);

    /// <summary>Connects after a test that the runtime answers, because its thread handles only one request at a time.</summary>
    /// <param name="address">The process's runtime.</param>
    /// <param name="longest">How long a single read may take; one that takes longer throws an <see cref="IOException"/>.</param>
    /// <exception cref="IOException">The runtime does not answer.</exception>
    public static Stream Open(RuntimeAddress address, TimeSpan longest)
    {
        if (OperatingSystem.IsWindows())
        {
            using var first = RuntimePipe.Connect(address.ProcessId, s_patience, s_patience);
            RuntimeServer.EnsureAnswers(first);
        }
        else
        {
            RuntimeServer.EnsureAnswers(address, s_patience);
        }

        return OpenAgain(address, longest);
    }

    /// <summary>Connects without that test, for a runtime that has just answered.</summary>
    /// <param name="address">The process's runtime.</param>
    /// <param name="longest">How long a single read may take.</param>
    /// <exception cref="IOException">The runtime cannot be reached.</exception>
    public static Stream OpenAgain(RuntimeAddress address, TimeSpan longest) =>
        OperatingSystem.IsWindows()
            ? RuntimePipe.Connect(address.ProcessId, s_patience, longest)
            : OpenSocket(address, (int)longest.TotalMilliseconds);

    private static NetworkStream OpenSocket(RuntimeAddress address, int longestMs)
    {
        var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified)
        {
            ReceiveTimeout = longestMs, SendTimeout = longestMs,
        };
        try
        {
            socket.Connect(new UnixDomainSocketEndPoint(address.Socket));
            return new NetworkStream(socket, ownsSocket: true);
        }
        catch (SocketException e)
        {
            // The socket existed at startup. A cleaner of temporary files may have deleted it.
            socket.Dispose();
            throw new IOException(address.WhyNot?.Invoke() ?? $"the runtime's diagnostics socket cannot be reached: {e.Message}", e);
        }
    }
}
