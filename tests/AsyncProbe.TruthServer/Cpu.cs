namespace AsyncProbe.TruthServer;

/// <summary>CPU work of a given number of milliseconds by the thread's own clock: the same amount on a crowded core.</summary>
public static class Cpu
{
    public static ulong Burn(int ms)
    {
        var x = 88172645463325252UL;
        var until = OwnReading.Take().Cpu + (ms * 1_000_000L);
        while (OwnReading.Take().Cpu < until)
        {
            for (var i = 0; i < 5000; i++)
            {
                x ^= x << 13;
                x ^= x >> 7;
                x ^= x << 17;
            }
        }

        return x;
    }
}
