using AsyncProbe.Common;

namespace AsyncProbe.Blocking.Hook;

/// <summary>
/// Limits how many stacks a thread may take in vain. A wait's length is known only when it ends, so the stack is taken when it begins. Code
/// with thousands of very short waits must not pay for that. A wait that is long enough to report returns its stack to the budget.
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
