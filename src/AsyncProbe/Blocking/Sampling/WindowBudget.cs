namespace AsyncProbe.Blocking.Sampling;

/// <summary>
/// Limits what windows may cost in any ten minutes: 0.5 % of one core, and 2 % of the time, counted as if nothing else ran while threads
/// are sampled. In Development it is five times as much, because a developer who loads one endpoint after another wants to know now. When
/// the budget is used up, the next window waits until old charges expire.
/// </summary>
internal sealed class WindowBudget(TimeProvider time, bool isDevelopment)
{
    public static readonly TimeSpan Period = TimeSpan.FromMinutes(10);

    private const int MoreInDevelopment = 5;

    // The minimum charge for a window. Without it, the list of charges would be unbounded.
    private static readonly Cost s_least = new(TimeSpan.FromMilliseconds(10), TimeSpan.FromMilliseconds(50));

    // The first window is expensive because it lists all methods.
    private static readonly Cost s_first = new(TimeSpan.FromMilliseconds(200), TimeSpan.FromMilliseconds(300));

    private readonly Cost _most = new(Period * 0.005 * Factor(isDevelopment), Period * 0.02 * Factor(isDevelopment));
    private readonly Lock _lock = new();
    private readonly Queue<(long At, Cost Cost)> _charges = [];
    private Cost _spent;
    private Cost _last = s_first;

    /// <summary>Whether the budget allows another window that costs as much as the last one.</summary>
    public bool AllowsOne()
    {
        lock (_lock)
        {
            while (_charges.TryPeek(out var oldest) && time.GetElapsedTime(oldest.At) >= Period)
            {
                _spent -= _charges.Dequeue().Cost;
            }

            return _charges.Count == 0 || (_spent.Cpu + _last.Cpu <= _most.Cpu && _spent.Sampled + _last.Sampled <= _most.Sampled);
        }
    }

    /// <param name="cpu">The CPU time spent on the window.</param>
    /// <param name="sampled">How long threads were sampled.</param>
    public void Charge(TimeSpan cpu, TimeSpan sampled)
    {
        lock (_lock)
        {
            _last = new Cost(Max(cpu, s_least.Cpu), Max(sampled, s_least.Sampled));
            _spent += _last;
            _charges.Enqueue((time.GetTimestamp(), _last));
        }
    }

    private static int Factor(bool isDevelopment) => isDevelopment ? MoreInDevelopment : 1;

    private static TimeSpan Max(TimeSpan one, TimeSpan other) => one > other ? one : other;

    private readonly record struct Cost(TimeSpan Cpu, TimeSpan Sampled)
    {
        public static Cost operator +(Cost one, Cost other) => new(one.Cpu + other.Cpu, one.Sampled + other.Sampled);

        public static Cost operator -(Cost one, Cost other) => new(one.Cpu - other.Cpu, one.Sampled - other.Sampled);
    }
}
