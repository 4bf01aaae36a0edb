using System.Net;
using System.Net.Sockets;

namespace AsyncProbe.Integration.Tests.Snapshots;

/// <summary>
/// A name server on an unused address of the loopback network that takes a while to answer each question. It resolves every
/// name to 127.0.0.1.
/// </summary>
internal sealed class SlowResolver : IDisposable
{
    private const int Port = 53;
    private const int HeaderLength = 12;
    private const byte TypeA = 1;

    private static readonly TimeSpan s_late = TimeSpan.FromMilliseconds(30);

    private readonly UdpClient _socket;

    public SlowResolver()
    {
        // The C library only asks at this port.
        Address = new IPAddress([127, .. Enumerable.Range(0, 3).Select(_ => (byte)Random.Shared.Next(1, 255))]);
        _socket = new UdpClient(new IPEndPoint(Address, Port));
        _ = AnswerAsync();
    }

    public IPAddress Address { get; }

    public void Dispose() => _socket.Dispose();

    private async Task AnswerAsync()
    {
        try
        {
            while (true)
            {
                var question = await _socket.ReceiveAsync();
                _ = AnswerLateAsync(question);
            }
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            // The test is over.
        }
    }

    private async Task AnswerLateAsync(UdpReceiveResult question)
    {
        await Task.Delay(s_late);
        try
        {
            await _socket.SendAsync(AnswerTo(question.Buffer), question.RemoteEndPoint);
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            // The test is over.
        }
    }

    // The answer repeats the question: its labels, each after its length, an empty one, type and class.
    private static byte[] AnswerTo(byte[] question)
    {
        var end = HeaderLength;
        while (question[end] != 0)
        {
            end += question[end] + 1;
        }

        var isOfA = question[end + 2] == TypeA;
        byte[] header = [question[0], question[1], 0x81, 0x80, 0, 1, 0, (byte)(isOfA ? 1 : 0), 0, 0, 0, 0];
        byte[] address = isOfA ? [0xC0, HeaderLength, 0, TypeA, 0, 1, 0, 0, 0, 0, 0, 4, 127, 0, 0, 1] : [];
        return [.. header, .. question[HeaderLength..(end + 5)], .. address];
    }
}
