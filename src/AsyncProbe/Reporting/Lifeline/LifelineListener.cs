using System.Net;
using System.Net.Sockets;
using AsyncProbe.Common;

namespace AsyncProbe.Reporting.Lifeline;

/// <summary>
/// One thread, and sockets that are asked and never waited for: it needs nothing of the pool, and a caller who sends or reads slowly does
/// not keep it from the others. Requests are answered one at a time.
/// </summary>
internal sealed class LifelineListener : IDisposable
{
    // Beyond this the caller that has been silent longest goes: a flood of connections then costs the flood its own.
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
    /// <param name="accept">Takes the next caller from the listening socket; null for the ordinary way.</param>
    /// <exception cref="SocketException">The port is taken.</exception>
    /// <exception cref="OutOfMemoryException">No thread could be started.</exception>
    public LifelineListener(int port, Func<LifelineRequest, LifelineAnswer> answer, Faults faults, Func<Socket, Socket>? accept = null)
        : this(
            new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp), new IPEndPoint(IPAddress.Loopback, port), answer,
            faults, accept)
    {
    }

    /// <param name="listener">Not bound yet.</param>
    /// <param name="address">Where it listens.</param>
    /// <param name="answer">Makes the whole answer to a request.</param>
    /// <param name="faults">Counts what goes wrong.</param>
    /// <param name="accept">Takes the next caller from the listening socket; null for the ordinary way.</param>
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

    /// <summary>How many callers keep their connection open to show that they are there (<see cref="LifelineAnswer.IsHeld"/>).</summary>
    public int Held => Volatile.Read(ref _held);

    public void Dispose()
    {
        _isStopped = true;
        Knock();
        _thread.WaitForEnd();
    }

    // Wakes the thread, which looks for callers for up to 200 ms: a stopping host should not wait for that.
    private void Knock()
    {
        try
        {
            using var caller = new Socket(_listener.AddressFamily, SocketType.Stream, ProtocolType.Unspecified) { Blocking = false };
            caller.Connect(_listener.LocalEndPoint!);
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            // A connection in progress is told as an exception, and a listener that is closed needs no knock.
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
                // All connections are closed, so no caller waits. Without the pause, a fault that lasts would take a core.
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

        Socket.Select(readable, writable, null, PollMicroseconds);

        // Before the serving: on a crowded machine that takes seconds, in which others may have asked.
        var now = Timestamp.Now();
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
            // The caller vanished between two looks.
            connection.Abandon();
        }
    }

    private void Accept(Timestamp now)
    {
        // A few at a time, so that those who have sent something are served in between.
        for (var i = 0; i < MostConnections / 2; i++)
        {
            Socket caller;
            try
            {
                caller = _accept(_listener);
            }
            catch (SocketException e) when (e.SocketErrorCode is SocketError.WouldBlock or SocketError.ConnectionAborted
                or SocketError.ConnectionReset)
            {
                // Nobody else waits, or the one who did is gone.
                return;
            }
            catch (SocketException e)
            {
                // The process has no descriptor left, most likely. Whoever waits goes on waiting, so that to ask again at once would take a
                // core.
                _faults.Note(e);
                _acceptsFrom = Timestamp.Now() + Duration.FromMicroseconds(PollMicroseconds);
                return;
            }

            caller.Blocking = false;
            if (_connections.Count >= MostConnections)
            {
                var oldest = _connections.FirstOrDefault(c => c is { IsAnswering: false, IsHeld: false }) ?? _connections[0];
                Drop(c => c == oldest);
            }

            _connections.Add(new LifelineConnection(caller, now));
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
