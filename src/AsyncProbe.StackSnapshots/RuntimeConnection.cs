using System.Net.Sockets;

namespace AsyncProbe.StackSnapshots;

/// <summary>A way to a process's runtime: a Unix socket, or a pipe on Windows. All of it blocks, and needs no pool thread.</summary>
internal static class RuntimeConnection
{
    // It answers within a millisecond, on a crowded machine within a few hundred. While it writes a dump it does not answer.
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(3);

    /// <summary>Connects after the runtime has shown that it answers: its thread takes one request at a time.</summary>
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

    /// <summary>The same where the runtime has answered a moment ago.</summary>
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
            // It was there at the start: a cleaner of temporary files may have taken it.
            socket.Dispose();
            throw new IOException(address.WhyNot?.Invoke() ?? $"the runtime's diagnostics socket cannot be reached: {e.Message}", e);
        }
    }
}
