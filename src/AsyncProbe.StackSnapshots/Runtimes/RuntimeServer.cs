using System.Buffers.Binary;
using System.Diagnostics;
using System.Net.Sockets;

namespace AsyncProbe.StackSnapshots.Runtimes;

/// <summary>
/// Checks that the runtime's diagnostics thread answers, and that it belongs to the right process. The thread handles one request at a
/// time, and without this check a request would wait for it without a limit.
/// </summary>
internal static class RuntimeServer
{
    // From <sys/socket.h>.
    private const int SocketLevel = 1;
    private const int PeerCredentials = 17;

    private const int HeaderLength = 20;
    private const int Pause = 5;

    /// <summary>
    /// Asks for the process's description, which is short. The request consists of a magic string, the length, the command and two reserved
    /// bytes.
    /// </summary>
    private static ReadOnlySpan<byte> Request => "DOTNET_IPC_V1\0\u0014\0\u0004\0\0\0"u8;

    /// <param name="runtime">The process's runtime.</param>
    /// <param name="patience">How long to wait in total.</param>
    /// <exception cref="IOException">The runtime does not answer in time, or the listener is another process.</exception>
    public static void EnsureAnswers(RuntimeAddress runtime, TimeSpan patience)
    {
        var since = Stopwatch.GetTimestamp();
        using var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified) { Blocking = false };
        try
        {
            Connect(socket, new UnixDomainSocketEndPoint(runtime.Socket), patience);
            EnsureIsIts(runtime.ProcessId, socket);
            socket.Send(Request);
            var left = patience - Stopwatch.GetElapsedTime(since);
            Span<byte> header = stackalloc byte[HeaderLength];
            if (left <= TimeSpan.Zero || !socket.Poll(left, SelectMode.SelectRead) || socket.Receive(header) == 0)
            {
                throw NoAnswer(patience);
            }
        }
        catch (SocketException e)
        {
            throw new IOException($"the runtime's diagnostics socket cannot be reached: {e.Message}", e);
        }
    }

    /// <summary>Does the same over a connection to this process's own runtime. Its reads must have a timeout.</summary>
    /// <param name="runtime">The connection.</param>
    /// <exception cref="IOException">The runtime does not answer.</exception>
    public static void EnsureAnswers(Stream runtime)
    {
        runtime.Write(Request);
        try
        {
            runtime.ReadExactly(stackalloc byte[HeaderLength]);
        }
        catch (IOException e)
        {
            throw new IOException($"the runtime does not answer: {e.Message}", e);
        }
    }

    /// <summary>Creates the exception for a runtime that does not answer.</summary>
    /// <param name="patience">How long it had time to answer.</param>
    /// <param name="cause">The exception that showed it, if any.</param>
    public static IOException NoAnswer(TimeSpan patience, Exception? cause = null) =>
        new(
            FormattableString.Invariant(
                $"the runtime does not answer its diagnostics requests within {patience.TotalSeconds} s. It may be busy with a dump or a trace."),
            cause);

    // If too many connections are already waiting, the system refuses immediately.
    private static void Connect(Socket socket, UnixDomainSocketEndPoint address, TimeSpan patience)
    {
        var since = Stopwatch.GetTimestamp();
        while (true)
        {
            try
            {
                socket.Connect(address);
                return;
            }
            catch (SocketException e) when (e.SocketErrorCode == SocketError.WouldBlock)
            {
                if (Stopwatch.GetElapsedTime(since) > patience)
                {
                    throw NoAnswer(patience);
                }

                Thread.Sleep(Pause);
            }
        }
    }

    // Checks the listener's process id, which the system recorded. A cleaner of temporary files may have deleted the runtime's socket, and
    // another user may have created one in its place.
    private static void EnsureIsIts(int process, Socket socket)
    {
        Span<byte> credentials = stackalloc byte[12];
        if (socket.GetRawSocketOption(SocketLevel, PeerCredentials, credentials) >= sizeof(int)
            && BinaryPrimitives.ReadInt32LittleEndian(credentials) is var listener && listener != process)
        {
            throw new IOException($"the runtime's diagnostics socket belongs to another process (number {listener}), which was not asked.");
        }
    }
}
