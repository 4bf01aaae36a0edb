using System.Buffers.Binary;
using System.Diagnostics;
using System.Net.Sockets;

namespace AsyncProbe.StackSnapshots;

/// <summary>
/// The runtime's thread that answers diagnostics requests. It takes one at a time, and the client library waits for it without
/// a limit; so it is asked first, with one, whether it is there, and is the process's.
/// </summary>
internal static class RuntimeServer
{
    // From <sys/socket.h>.
    private const int SocketLevel = 1;
    private const int PeerCredentials = 17;

    private const int HeaderLength = 20;
    private const int Pause = 5;

    /// <summary>
    /// The request for the process's own description, which is short: magic, length, command, and two bytes for later use.
    /// </summary>
    private static ReadOnlySpan<byte> Request => "DOTNET_IPC_V1\0\u0014\0\u0004\0\0\0"u8;

    /// <param name="runtime">The process's runtime.</param>
    /// <param name="patience">How long to wait in all.</param>
    /// <exception cref="IOException">It does not answer in time, or is not the process's.</exception>
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

    /// <summary>The same over a connection to this process's own runtime, whose reads give up in time.</summary>
    /// <param name="runtime">The connection.</param>
    /// <exception cref="IOException">It does not answer.</exception>
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

    /// <summary>That it does not answer.</summary>
    /// <param name="patience">How long it was given.</param>
    /// <param name="cause">What showed it.</param>
    public static IOException NoAnswer(TimeSpan patience, Exception? cause = null) =>
        new(
            FormattableString.Invariant(
                $"the runtime does not answer its diagnostics requests within {patience.TotalSeconds} s. It may be busy with a dump or a trace."),
            cause);

    // Where too many wait already, the system refuses at once.
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

    // Who listens, as the system noted it. A cleaner of temporary files may have taken the runtime's socket, and somebody else put one
    // there.
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
