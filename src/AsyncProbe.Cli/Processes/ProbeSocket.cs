using System.Buffers.Binary;
using System.Globalization;
using System.Net.Sockets;
using System.Text;

namespace AsyncProbe.Cli.Processes;

/// <summary>The socket of a process's probe, in that process's private folder.</summary>
internal sealed class ProbeSocket(string path, int process)
{
    // From <sys/socket.h>.
    private const int SocketLevel = 1;
    private const int PeerCredentials = 17;

    /// <param name="folder">The private folder, as seen from here.</param>
    public static ProbeSocket In(string folder, ProcessEntry process) =>
        new(Path.Combine(folder, string.Create(CultureInfo.InvariantCulture, $"{process.OwnPid}.sock")), process.Pid);

    /// <summary>Connects, and rejects an answer from another process.</summary>
    /// <exception cref="SocketException">No process listens, or the wrong one does.</exception>
    public Socket Connect()
    {
        var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        try
        {
            socket.Connect(new UnixDomainSocketEndPoint(path));
            if (OperatingSystem.IsLinux())
            {
                Span<byte> credentials = stackalloc byte[12];
                socket.GetRawSocketOption(SocketLevel, PeerCredentials, credentials);
                if (BinaryPrimitives.ReadInt32LittleEndian(credentials) is var listener && listener != process)
                {
                    throw new SocketException((int)SocketError.AccessDenied);
                }
            }

            return socket;
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    /// <summary>Whether the process has a probe, which may be leaving or not answer.</summary>
    public bool IsOpen()
    {
        try
        {
            using var socket = Connect();
            return true;
        }
        catch (SocketException)
        {
            return false;
        }
    }

    /// <summary>Keeps the probe attached until the returned socket is disposed; null without a probe, or when it is leaving.</summary>
    /// <param name="settings">What the probe should do, in addition to what other tools have asked for.</param>
    public Socket? TryHold(AttachSettings settings) => TryAsk("/hold?" + string.Join('&', settings.Words));

    /// <summary>Ends the probe, even while other tools use it.</summary>
    /// <returns>Whether there was one.</returns>
    public bool TryDetach()
    {
        using var answer = TryAsk("/detach");
        return answer is not null;
    }

    private Socket? TryAsk(string what)
    {
        Socket? socket = null;
        try
        {
            socket = Connect();
            socket.ReceiveTimeout = 10_000;
            socket.Send(Encoding.ASCII.GetBytes($"GET {what} HTTP/1.1\r\nHost: localhost\r\n\r\n"));
            var answer = new byte[512];
            if (answer.AsSpan(0, socket.Receive(answer)).StartsWith("HTTP/1.1 200 "u8))
            {
                return socket;
            }
        }
        catch (SocketException)
        {
            // The probe is not there yet, or is leaving or gone.
        }

        socket?.Dispose();
        return null;
    }
}
