using AsyncProbe.Clocks;
using AsyncProbe.Common;
using AsyncProbe.Requests.Counts;

namespace AsyncProbe.Tests.Rules;

/// <summary>The sums over requests that are all like the mean one.</summary>
internal static class Sums
{
    public static RequestSums From(long requests, HeldSplit mean, Duration? duration, long segments, long? blocking, double squares)
    {
        var sums = default(RequestSums);
        sums[(int)Figure.Requests] = requests;
        sums[(int)Figure.Blocking] = requests;
        sums[(int)Figure.Unallowed] = blocking ?? requests;
        sums[(int)Figure.UnallowedSquares] = RequestSums.SquareOf(Duration.FromMilliseconds(Math.Sqrt(squares)));
        sums[(int)Figure.Segments] = segments;
        sums[(int)Figure.Timed] = duration is null ? 0 : requests;
        Set(Figure.Duration, duration ?? Duration.Zero);
        Set(Figure.Cpu, mean.Cpu);
        Set(Figure.CpuWait, mean.CpuWait);
        Set(Figure.Gc, mean.Gc);
        Set(Figure.Blocked, mean.Blocked);
        return sums;

        void Set(Figure figure, Duration each) => Counter.Add(ref sums[(int)figure], each * requests);
    }
}
