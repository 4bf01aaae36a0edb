using System.Net.Sockets;
using AsyncProbe.Common;

namespace AsyncProbe.Reporting.Lifeline;

/// <summary>One caller: what it has sent, and what it has yet to get. Its socket never makes the thread wait.</summary>
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

    /// <summary>Whether the caller stays for as long as it lives.</summary>
    public bool IsHeld { get; private set; }

    public void Abandon() => IsDone = true;

    /// <summary>Whether the caller has taken too long to ask, or to read its answer; not how long the answer took to make.</summary>
    public bool IsOverdue(Timestamp now) => !IsHeld && now - _since > MostTime;

    /// <summary>Takes what has arrived.</summary>
    /// <param name="answer">Makes the answer to a request.</param>
    public void Read(Func<LifelineRequest, LifelineAnswer> answer)
    {
        if (_isFarewell)
        {
            // What is left unread would make the close a reset, and the caller would lose the answer.
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
