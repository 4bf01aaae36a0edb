using AsyncProbe.Common;

namespace AsyncProbe.Reporting;

/// <summary>
/// The last text, for callers that ask for the same one shortly after each other. Two callers at the same moment both make a text. That's
/// rare, and cheaper than a lock on a pool thread.
/// </summary>
internal sealed class KeptText<TKey, TText>(Duration keptFor)
    where TKey : notnull
{
    private volatile Kept? _last;

    public TText Get(TKey key, Func<TText> make)
    {
        if (_last is not { } last || !key.Equals(last.Key) || last.MadeAt.Elapsed() >= keptFor)
        {
            // Read the clock when the text is ready. Otherwise, if making it took longer than it is kept, each caller would get a new one.
            var text = make();
            _last = last = new Kept(key, text, Timestamp.Now());
        }

        return last.Text;
    }

    public void Forget() => _last = null;

    private sealed record Kept(TKey Key, TText Text, Timestamp MadeAt);
}
