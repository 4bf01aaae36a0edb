using System.Net.Sockets;
using AsyncProbe.Common;

namespace AsyncProbe.Reporting.Lifeline;

/// <summary>One caller: the request it has sent so far and the rest of its answer. Its socket never blocks the thread.</summary>
internal sealed class LifelineConnection(Socket socket, Timestamp acceptedAt) : IDisposable
{
    private static Duration MostTime => 2 * Duration.Second;

    private readonly byte[] _head = new byte[LifelineRequest.MaxHead];
    private Timestamp _since = acceptedAt;
    private int _received;
    private LifelineAnswer? _answer;
    private int _sent;
    private bool _isFarewell;

    public Socket Socket { get; } = socket;

    public bool IsAnswering => _answer is not null && !_isFarewell;

    public bool IsDone { get; private set; }

    /// <summary>Whether the connection stays open until the caller closes it or exits.</summary>
    public bool IsHeld { get; private set; }

    public void Abandon() => IsDone = true;

    /// <summary>Whether the caller has taken too long to send its request or read its answer. Making the answer doesn't count.</summary>
    public bool IsOverdue(Timestamp now) => !IsHeld && now - _since > MostTime;

    /// <summary>Reads what has arrived, and answers once the request is complete.</summary>
    /// <param name="answer">Makes the answer to a request.</param>
    public void Read(Func<LifelineRequest, LifelineAnswer> answer)
    {
        if (_isFarewell)
        {
            // Closing a socket that has unread data resets the connection, and the caller would lose the answer.
            IsDone = Socket.Receive(_head, SocketFlags.None, out var farewell) <= 0 && farewell != SocketError.WouldBlock;
            return;
        }

        var count = Socket.Receive(_head.AsSpan(_received), SocketFlags.None, out var error);
        if (error == SocketError.WouldBlock)
        {
            return;
        }

        if (count <= 0 || error != SocketError.Success)
        {
            IsDone = true;
            return;
        }

        _received += count;
        if (LifelineRequest.Parse(_head.AsSpan(0, _received)) is { } request)
        {
            _answer = answer(request);
            _since = Timestamp.Now();
            Write();
        }
    }

    public void Write()
    {
        while (_sent < _answer!.Length)
        {
            var count = Socket.Send(_answer.From(_sent), SocketFlags.None, out var error);
            if (error == SocketError.WouldBlock)
            {
                return;
            }

            if (error != SocketError.Success)
            {
                IsDone = true;
                return;
            }

            _sent += count;
        }

        _isFarewell = true;
        if (_answer.IsHeld)
        {
            IsHeld = true;
            return;
        }

        Socket.Shutdown(SocketShutdown.Send);
    }

    public void Dispose() => Socket.Dispose();
}
