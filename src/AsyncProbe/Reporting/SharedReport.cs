using AsyncProbe.Requests;

namespace AsyncProbe.Reporting;

/// <summary>
/// The report that open pages get: each asks once a second, and one body a second is made for all of them, so that twenty cost little more
/// than one. Nobody gets the same twice, and no figure is older than the second that it speaks of.
/// </summary>
internal sealed class SharedReport
{
    private const long KeptFor = 900 * Nanoseconds.PerMillisecond;

    private volatile Entry? _last;

    public byte[] Get(int seconds, Func<byte[]> make)
    {
        var now = Nanoseconds.Now();
        if (_last is { } last && last.Seconds == seconds && now - last.At < KeptFor)
        {
            return last.Json;
        }

        // Two that ask at once both make one; that is rare, and cheaper than a lock on a pool thread.
        var json = make();
        _last = new Entry(seconds, now, json);
        return json;
    }

    public void Forget() => _last = null;

    private sealed record Entry(int Seconds, long At, byte[] Json);
}
