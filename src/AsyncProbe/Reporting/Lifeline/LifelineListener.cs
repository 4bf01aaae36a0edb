using System.Net;
using System.Net.Sockets;
using AsyncProbe.Common;

namespace AsyncProbe.Reporting.Lifeline;

/// <summary>
/// Serves HTTP from one thread with non-blocking sockets. It needs no pool thread, and a caller that sends or reads slowly doesn't delay
/// the others. It answers requests one at a time.
/// </summary>
internal sealed class LifelineListener : IDisposable
{
    // Beyond this, the oldest connection that isn't being answered is dropped, so a flood of connections mostly drops its own.
    private const int MostConnections = 32;

    private const int PollMicroseconds = 200_000;

    private readonly Socket _listener;
    private readonly List<LifelineConnection> _connections = [];
    private readonly Func<LifelineRequest, LifelineAnswer> _answer;
    private readonly Faults _faults;
    private readonly Func<Socket, Socket> _accept;
    private readonly OwnThread _thread;
    private Timestamp _acceptsFrom;
    private int _held;
    private volatile bool _isStopped;

    /// <param name="port">The loopback port.</param>
    /// <param name="answer">Makes the whole answer to a request.</param>
    /// <param name="faults">Counts and logs failures.</param>
    /// <param name="accept">Accepts the next caller from the listening socket; null for <see cref="Socket.Accept()"/>.</param>
    /// <exception cref="SocketException">The port is taken.</exception>
    /// <exception cref="OutOfMemoryException">No thread could be started.</exception>
    public LifelineListener(int port, Func<LifelineRequest, LifelineAnswer> answer, Faults faults, Func<Socket, Socket>? accept = null)
        : this(
            new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp), new IPEndPoint(IPAddress.Loopback, port), answer,
            faults, accept)
    {
    }

    /// <param name="listener">An unbound socket.</param>
    /// <param name="address">The address to listen on.</param>
    /// <param name="answer">Makes the whole answer to a request.</param>
    /// <param name="faults">Counts and logs failures.</param>
    /// <param name="accept">Accepts the next caller from the listening socket; null for <see cref="Socket.Accept()"/>.</param>
    /// <exception cref="SocketException">The address is taken.</exception>
    public LifelineListener(
        Socket listener, EndPoint address, Func<LifelineRequest, LifelineAnswer> answer, Faults faults, Func<Socket, Socket>? accept = null)
    {
        _listener = listener;
        _answer = answer;
        _faults = faults;
        _accept = accept ?? (static listener => listener.Accept());
        try
        {
            _listener.Bind(address);
            _listener.Listen(128);
            _listener.Blocking = false;
            _thread = OwnThread.StartLasting(OwnThreadRole.Lifeline, Run, Close);
        }
        catch (Exception)
        {
            _listener.Dispose();
            throw;
        }
    }

    /// <summary>How many callers keep their connection open to show that they are alive (<see cref="LifelineAnswer.IsHeld"/>).</summary>
    public int Held => Volatile.Read(ref _held);

    public void Dispose()
    {
        _isStopped = true;
        Knock();
        _thread.WaitForEnd();
    }

    // Wakes the thread, which waits up to 200 ms for callers. A stopping host should not have to wait that long.
    private void Knock()
    {
        try
        {
            using var caller = new Socket(_listener.AddressFamily, SocketType.Stream, ProtocolType.Unspecified) { Blocking = false };
            caller.Connect(_listener.LocalEndPoint!);
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            // A non-blocking connect throws while it's in progress, and a closed listener doesn't need to be woken.
        }
    }

    private void Run()
    {
        while (!_isStopped)
        {
            try
            {
                Turn();
            }
            catch (Exception e)
            {
                // Close all connections so that no caller waits. Without the pause, a lasting fault would keep a core busy.
                _faults.Note(e);
                Drop();
                Thread.Sleep(PollMicroseconds / 1000);
            }
        }
    }

    private void Close()
    {
        _listener.Dispose();
        Drop();
    }

    private void Drop()
    {
        foreach (var connection in _connections)
        {
            connection.Dispose();
        }

        _connections.Clear();
    }

    private void Turn()
    {
        List<Socket> readable = [.. _connections.Where(c => !c.IsAnswering).Select(c => c.Socket)];
        List<Socket> writable = [.. _connections.Where(c => c.IsAnswering).Select(c => c.Socket)];
        if (Timestamp.Now() >= _acceptsFrom)
        {
            readable.Add(_listener);
        }

        if (readable.Count + writable.Count == 0)
        {
            Thread.Sleep(PollMicroseconds / 1000);
            return;
        }

        // Read the clock before waiting and serving. On a busy machine either can take seconds, and a caller who sent a request in that
        // time isn't slow.
        var now = Timestamp.Now();
        Socket.Select(readable, writable, null, PollMicroseconds);
        foreach (var connection in _connections)
        {
            Serve(connection, readable, writable);
        }

        if (readable.Contains(_listener))
        {
            Accept(Timestamp.Now());
        }

        Drop(c => c.IsDone || c.IsOverdue(now));
        Volatile.Write(ref _held, _connections.Count(c => c.IsHeld));
    }

    private void Serve(LifelineConnection connection, List<Socket> readable, List<Socket> writable)
    {
        try
        {
            if (readable.Contains(connection.Socket))
            {
                connection.Read(_answer);
            }
            else if (writable.Contains(connection.Socket))
            {
                connection.Write();
            }
        }
        catch (SocketException)
        {
            // The caller disconnected between two polls.
            connection.Abandon();
        }
    }

    private void Accept(Timestamp now)
    {
        // Accept a limited number, so that callers who have already sent a request are served in between.
        for (var i = 0; i < MostConnections / 2; i++)
        {
            // Accepting without a caller would raise an exception in the process, and the application may count those.
            if (!_listener.Poll(0, SelectMode.SelectRead))
            {
                return;
            }

            Socket caller;
            try
            {
                caller = _accept(_listener);
            }
            catch (SocketException e) when (e.SocketErrorCode is SocketError.WouldBlock or SocketError.ConnectionAborted
                or SocketError.ConnectionReset)
            {
                // The caller left after the poll.
                return;
            }
            catch (SocketException e)
            {
                // Most likely the process is out of file descriptors. The caller stays in the queue, so accepting again at once would
                // keep a core busy.
                _faults.Note(e);
                _acceptsFrom = Timestamp.Now() + Duration.FromMicroseconds(PollMicroseconds);
                return;
            }

            Keep(caller, now);
        }
    }

    private void Keep(Socket caller, Timestamp now)
    {
        try
        {
            caller.Blocking = false;
            if (_connections.Count >= MostConnections)
            {
                var oldest = _connections.FirstOrDefault(c => c is { IsAnswering: false, IsHeld: false }) ?? _connections[0];
                Drop(c => c == oldest);
            }

            _connections.Add(new LifelineConnection(caller, now));
        }
        catch (Exception)
        {
            // Otherwise the caller would wait for an answer until the socket is collected.
            caller.Dispose();
            throw;
        }
    }

    private void Drop(Predicate<LifelineConnection> which) =>
        _connections.RemoveAll(c =>
        {
            var isDropped = which(c);
            if (isDropped)
            {
                c.Dispose();
            }

            return isDropped;
        });
}
