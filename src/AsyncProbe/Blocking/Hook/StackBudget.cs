using AsyncProbe.Common;

namespace AsyncProbe.Blocking.Hook;

/// <summary>
/// How many stacks a thread may take for nothing. A wait's length is known only when it has ended, so the stack is taken when it begins;
/// code that waits thousands of times for a moment each must not pay for that. A wait that is worth a report gives its stack back.
/// </summary>
internal struct StackBudget
{
    private const int Most = 32;
    
    private int _spent;
    private Timestamp _countedAt;

    private static Duration OneEvery => Duration.FromMilliseconds(10);

    public bool TryTake(Timestamp now)
    {
        var regained = (long)(now - _countedAt).RatioTo(OneEvery);
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
