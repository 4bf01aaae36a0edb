using AsyncProbe.Common;

namespace AsyncProbe.Blocking.Hook;

/// <summary>
/// How many stacks a thread may take for nothing. A wait's length is known only when it has ended, so the stack is taken when it begins;
/// code that waits thousands of times for a moment each must not pay for that. A wait that is worth a report gives its stack back.
/// </summary>
internal struct StackBudget
{
    private const int Most = 32;
    private const long OneEvery = 10 * Nanoseconds.PerMillisecond;

    private int _spent;
    private long _countedAt;

    public bool TryTake(long now)
    {
        var regained = (now - _countedAt) / OneEvery;
        if (regained > 0)
        {
            _spent = (int)Math.Max(0, _spent - regained);
            _countedAt = now;
        }

        if (_spent >= Most)
        {
            return false;
        }

        _spent++;
        return true;
    }

    public void GiveBack() => _spent = Math.Max(0, _spent - 1);
}
