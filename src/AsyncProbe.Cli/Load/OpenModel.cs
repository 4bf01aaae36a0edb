using System.Diagnostics;

namespace AsyncProbe.Cli.Load;

/// <summary>
/// A fixed number of starts per second, planned in advance and kept whatever the server does, like users who arrive independently of each
/// other.
/// </summary>
internal sealed class OpenModel : ILoadModel
{
    private readonly LoadSettings _settings;
    private readonly PreparedRequest[][] _users;
    private readonly Recorders _recorders;
    private readonly SharedAuthorization _authorization;
    private readonly Redirects _redirects;
    private readonly bool _ownOrder;
    private readonly SharedConnections? _shared;
    private readonly Lock _lock = new();
    // One for each user, because a thread keeps its user's cookies.
    private readonly Stack<SimulatedThread>[] _idle;
    private readonly List<SimulatedThread> _all = [];
    private readonly Queue<long> _backlog = [];
    private readonly TaskCompletionSource _drained = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly PreparedRequest[][] _orders;
    private long _next;
    private int _inFlight;
    private long? _allStartedAt;

    public OpenModel(LoadSettings settings, PreparedRequest[][] users, Recorders recorders, SharedAuthorization authorization)
    {
        _settings = settings;
        _users = users;
        _recorders = recorders;
        _authorization = authorization;
        _redirects = new Redirects(users.SelectMany(user => user).Select(request => request.Url));
        _shared = SharedConnections.Create(settings);
        _orders = [.. users.Select(user => RequestOrder.Create(user, settings.Randomize, 0))];
        _idle = [.. users.Select(_ => new Stack<SimulatedThread>())];
        // A session that passes a token from a response to the next request must stay on one simulated thread.
        _ownOrder = users[0].Any(request => request.Captures.Length > 0);
    }

    public int Connections
    {
        get
        {
            lock (_lock)
            {
                return _all.Count;
            }
        }
    }

    public Task RunAsync(CancellationToken stop)
    {
        var starter = new Thread(() => StartAll(stop))
        {
            IsBackground = true,
            Name = "asyncprobe planned starts",
            Priority = ThreadPriority.AboveNormal,
        };
        starter.Start();
        return _drained.Task;
    }

    public Unanswered Unanswered()
    {
        lock (_lock)
        {
            var sent = _all.Select(thread => thread.SentAt).Where(at => at != 0).Concat(_backlog).ToArray();
            return new(sent.Length, sent.Length == 0 ? TimeSpan.Zero : Stopwatch.GetElapsedTime(sent.Min()));
        }
    }

    public void Dispose()
    {
        lock (_lock)
        {
            _backlog.Clear();
            _all.ForEach(thread => thread.Dispose());
            _shared?.Dispose();
        }
    }

    private void StartAll(CancellationToken stop)
    {
        var interval = Stopwatch.Frequency / _settings.Rate!.Value;
        var measured = _recorders.Measured;
        var left = _settings.Requests ?? long.MaxValue;
        for (long i = 0; left > 0; i++)
        {
            var planned = measured.Begin + (long)Math.Round(i * interval);
            if (planned >= measured.To || !PreciseWait.Until(planned, stop))
            {
                break;
            }

            left -= planned >= measured.From ? 1 : 0;
            Start(planned);
        }

        lock (_lock)
        {
            _allStartedAt = Stopwatch.GetTimestamp();
            EndWhenDrained();
        }
    }

    private void Start(long planned)
    {
        SimulatedThread? thread;
        lock (_lock)
        {
            thread = TryTakeThread();
            if (thread is null)
            {
                _backlog.Enqueue(planned);
                return;
            }

            _inFlight++;
        }

        _ = SendAsync(thread, planned);
    }

    /// <summary>
    /// Each user sends the whole list, then it is the next one's turn. With fewer threads than users, some users never send, as in the
    /// closed model.
    /// </summary>
    /// <returns>Null when all threads are busy.</returns>
    private SimulatedThread? TryTakeThread()
    {
        var user = (int)(Volatile.Read(ref _next) / _users[0].Length % _users.Length);
        if (_idle[user].TryPop(out var thread))
        {
            return thread;
        }

        if (_all.Count >= _settings.MaxInFlight)
        {
            return Array.Find(_idle, idle => idle.Count > 0)?.Pop();
        }

        var number = _all.Count;
        thread = new SimulatedThread(_settings, OrderOf(user, number), _authorization, _redirects, _shared?.CreateClient(number))
        {
            User = user,
        };
        _all.Add(thread);
        return thread;
    }

    /// <summary>Sends one request, then any that were due while no thread was free.</summary>
    private async Task SendAsync(SimulatedThread thread, long planned)
    {
        var more = true;
        while (more)
        {
            var outcome = await thread.SendAsync(Choose(thread), planned, Stopwatch.GetTimestamp()).ConfigureAwait(false);
            _recorders.Record(outcome);
            lock (_lock)
            {
                more = MaySend() && _backlog.TryDequeue(out planned);
                if (!more)
                {
                    _idle[thread.User].Push(thread);
                    _inFlight--;
                    EndWhenDrained();
                }
            }
        }
    }

    private PreparedRequest[] OrderOf(int user, int thread) =>
        _ownOrder ? RequestOrder.Create(_users[user], _settings.Randomize, thread) : _orders[user];

    private PreparedRequest Choose(SimulatedThread thread)
    {
        var number = Interlocked.Increment(ref _next) - 1;
        return thread.Requests[(_ownOrder ? thread.Next++ : number) % thread.Requests.Length];
    }

    /// <summary>Against a server that hangs, each request of the backlog would take a whole timeout.</summary>
    private bool MaySend() => _allStartedAt is not { } ended || Stopwatch.GetElapsedTime(ended) < _settings.Timeout;

    private void EndWhenDrained()
    {
        if (_allStartedAt is not null && _inFlight == 0)
        {
            _drained.TrySetResult();
        }
    }
}
