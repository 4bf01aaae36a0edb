using AsyncProbe.Clocks;
using AsyncProbe.Common;
using AsyncProbe.Requests.Counts;

namespace AsyncProbe.Tests.Requests.Counts;

[Trait(Logic.Category, Logic.Name)]
public sealed class EndpointCellTests
{
    private static Duration Ms => Duration.Millisecond;

    [Fact]
    public void Request_RaisesEveryFigure_AndWarmOnesAreTheRest()
    {
        var cell = new EndpointCell();
        Add(cell);
        var cold = cell.ReadSums();
        Add(cell);
        var all = default(RequestSums);
        var longest = default(LongestTimes);
        cell.AddTo(ref all, ref longest);

        var warm = RequestSums.Warm(all, cold);
        foreach (var figure in Enum.GetValues<Figure>())
        {
            warm.Count(figure).ShouldBePositive(figure.ToString());
            all.Count(figure).ShouldBe(2 * warm.Count(figure), figure.ToString());
        }

        foreach (var time in Enum.GetValues<Longest>())
        {
            longest.Of(time).ShouldBeGreaterThan(Duration.Zero, time.ToString());
        }

        (warm.Requests, warm.Held, warm.UnallowedSquares, warm.MeanAllowed).ShouldBe((1, 14 * Ms, 4, 3 * Ms));

        // A cold request is added to the cold ones just before it is added to all.
        RequestSums.Warm(cold, all).Requests.ShouldBe(0);
    }

    private static void Add(EndpointCell cell)
    {
        var whole = new HeldSplit(14 * Ms, 2 * Ms, 3 * Ms, 4 * Ms, 5 * Ms) { BlockedInGc = Ms };
        cell.AddDuration(20 * Ms, whole.Held);
        cell.AddProvider(Ms, Ms);
        cell.AddAfterResponse(Ms);
        cell.AddRequest(whole, 3 * Ms, 2, RequestOutcome.Failed | RequestOutcome.Aborted | RequestOutcome.FromCache);
    }
}
