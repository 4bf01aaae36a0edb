using System.Net.Sockets;

namespace AsyncProbe.FaultHost;

/// <summary>
/// Rewritten copies of the packages call this before each place that can fail. It allocates only if the place must fail now.
/// </summary>
public static class FaultSwitch
{
    public const int MostPlaces = 32_768;

    private static readonly int[] s_armed = new int[MostPlaces];
    private static readonly byte[] s_reached = new byte[MostPlaces];
    private static readonly byte[] s_failed = new byte[MostPlaces];

    /// <summary>The places that have failed on purpose.</summary>
    public static IEnumerable<int> Failed => Enumerable.Range(0, MostPlaces).Where(place => Volatile.Read(ref s_failed[place]) != 0);

    /// <summary>The places that have been reached so far.</summary>
    public static IEnumerable<int> Reached => Enumerable.Range(0, MostPlaces).Where(place => Volatile.Read(ref s_reached[place]) != 0);

    /// <summary>The places that are still to fail.</summary>
    public static IEnumerable<int> Armed => Enumerable.Range(0, MostPlaces).Where(place => Volatile.Read(ref s_armed[place]) != 0);

    /// <summary>The numbers of all places in three lines: the failed ones, the reached ones and the armed ones.</summary>
    public static string Describe() => string.Join('\n', string.Join(',', Failed), string.Join(',', Reached), string.Join(',', Armed));

    /// <summary>Makes a place fail once, when it is next reached.</summary>
    public static void Arm(int place) => Volatile.Write(ref s_armed[place], 1);

    /// <summary>Stops all places from failing.</summary>
    public static void Disarm() => Array.Clear(s_armed);

    public static void HitMemory(int place)
    {
        if (FailsNow(place))
        {
            throw new InsufficientMemoryException($"Fault injected at place {place}.");
        }
    }

    public static void HitThread(int place)
    {
        if (FailsNow(place))
        {
            throw new ThreadStateException($"Fault injected at place {place}.");
        }
    }

    public static void HitFile(int place)
    {
        if (FailsNow(place))
        {
            throw new IOException($"Fault injected at place {place}.");
        }
    }

    public static void HitSocket(int place)
    {
        if (FailsNow(place))
        {
            throw new SocketException((int)SocketError.TooManyOpenSockets);
        }
    }

    private static bool FailsNow(int place)
    {
        s_reached[place] = 1;
        if (Volatile.Read(ref s_armed[place]) == 0 || Interlocked.Exchange(ref s_armed[place], 0) == 0)
        {
            return false;
        }

        s_failed[place] = 1;
        return true;
    }
}
