using AsyncProbe.Common;
using AsyncProbe.Requests.Counts;
using AsyncProbe.Rules;

namespace AsyncProbe.Tests.Requests.Counts;

/// <summary>When an endpoint that blocks is watched, and when that ends.</summary>
[Trait(Logic.Category, Logic.Name)]
public sealed class EndpointWaitsTests
{
    private static Duration Second => Duration.Second;

    private static Timestamp Start => Moment.At(1000 * Second);

    [Fact]
    public void Explained_IsNotAvailable_BeforeAWatchedRequestBlocked()
    {
        var waits = new EndpointWaits();

        waits.Explained.ShouldBeNull();
        waits.LockShare.ShouldBe(0);
        waits.IsLearning.ShouldBeTrue();
        waits.TryTakeTurn(Start).ShouldBeTrue();
        waits.TryTakeTurn(Start).ShouldBeTrue("every request is watched while the endpoint is new");
    }

    [Fact]
    public void Explained_IsAShareOfTheBlockedTime_AndNeverMoreThanAll()
    {
        var waits = new EndpointWaits();

        waits.Add(blocked: 100.Ns(), explained: 40.Ns(), locks: 10.Ns(), Start);
        waits.Explained.ShouldBe(0.4);
        waits.LockShare.ShouldBe(0.1);

        waits.Add(blocked: 100.Ns(), explained: 150.Ns(), locks: 120.Ns(), Start);
        waits.Explained.ShouldBe(0.7, "of the second request no more than its blocked time counts");
        waits.LockShare.ShouldBe(0.55);
    }

    [Theory]
    [InlineData(0, true)]
    [InlineData(9, true)]
    [InlineData(10, false)]
    [InlineData(100, false)]
    public void Endpoint_IsHardlyExplained_BelowATenth(long explained, bool expected)
    {
        var waits = new EndpointWaits();
        waits.Seen.ShouldBe(WaitsSeen.NotLooked, "nothing is known yet");

        waits.Add(blocked: 100.Ns(), explained.Ns(), locks: 0.Ns(), Start);

        waits.Seen.ShouldBe(expected ? WaitsSeen.NothingFound : WaitsSeen.Found);
    }

    [Fact]
    public void Sample_IsDue_ASampleTimeAfterTheLast()
    {
        var waits = new EndpointWaits();
        Add(waits, 5, explained: 100);
        waits.IsLearning.ShouldBeFalse();

        waits.IsDue(Start + (15 * Second) - 1.Ns()).ShouldBeFalse();
        waits.IsDue(Start + (15 * Second)).ShouldBeTrue();
        waits.IsDue(Start + Second * 3600).ShouldBeTrue();
        waits.TryTakeTurn(Start + Second * 3600).ShouldBeTrue();
        waits.IsDue(Start + Second * 3600).ShouldBeFalse("one has just been taken");
    }

    // Every request reports its time in the provider, and one of a few watched requests may have waited there for a second.
    [Fact]
    public void LockShare_IsThatOfTheTimeOutsideTheProvider()
    {
        var waits = new EndpointWaits();

        waits.Add(1000 * Duration.Millisecond, 1000 * Duration.Millisecond, Duration.Zero, Timestamp.Now(), provider: 1000 * Duration.Millisecond);
        waits.Add(30 * Duration.Millisecond, 30 * Duration.Millisecond, 20 * Duration.Millisecond, Timestamp.Now(), provider: 10 * Duration.Millisecond);

        waits.LockShare.ShouldBe(1);
        waits.Explained.ShouldBe(1);
    }

    [Fact]
    public void LockShare_IsNeverMoreThanWhatIsExplained()
    {
        var waits = new EndpointWaits();

        waits.Add(blocked: 100.Ns(), explained: 50.Ns(), locks: 80.Ns(), Start);

        waits.LockShare.ShouldBe(0.5);
    }

    [Fact]
    public void Learning_EndsAfterFiveRequests_WhenNineTenthsAreExplained()
    {
        var waits = new EndpointWaits();
        Add(waits, 4, explained: 90);
        waits.IsLearning.ShouldBeTrue();

        Add(waits, 1, explained: 90);

        waits.IsLearning.ShouldBeFalse();
        waits.TryTakeTurn(Start + 1.Ns()).ShouldBeFalse();
    }

    [Fact]
    public void Learning_GoesOn_WhileLessIsExplained_ButNotForEver()
    {
        var waits = new EndpointWaits();

        Add(waits, 49, explained: 89);
        waits.IsLearning.ShouldBeTrue();
        Add(waits, 1, explained: 89);

        waits.IsLearning.ShouldBeFalse();
        Add(waits, 1, explained: 0);
        waits.IsLearning.ShouldBeFalse("what the hook cannot see must not keep the endpoint armed");
    }

    [Fact]
    public void Learning_BeginsAgain_WhenANewSiteLeavesTimeUnexplained()
    {
        var waits = new EndpointWaits();
        Add(waits, 5, explained: 95);
        Add(waits, 1, explained: 80);
        waits.IsLearning.ShouldBeFalse("nine tenths of all is still explained");

        Add(waits, 4, explained: 0);

        waits.IsLearning.ShouldBeTrue();
    }

    [Fact]
    public void Learning_DoesNotBeginAgain_AtExactlyNineTenths()
    {
        var waits = new EndpointWaits();

        Add(waits, 6, explained: 90);

        waits.IsLearning.ShouldBeFalse();
    }

    [Fact]
    public void KnownEndpoint_IsSampledEveryFifteenSeconds()
    {
        var waits = new EndpointWaits();
        Add(waits, 5, explained: 100);

        waits.TryTakeTurn(Start + (15 * Second) - 1.Ns()).ShouldBeFalse();
        waits.TryTakeTurn(Start + (15 * Second)).ShouldBeTrue();
        waits.TryTakeTurn(Start + (15 * Second)).ShouldBeFalse("one request is enough");
        waits.TryTakeTurn(Start + (30 * Second)).ShouldBeTrue();
    }

    [Fact]
    public void Learning_DoesNotBeginAgain_OnceThereWereFiftyRequests()
    {
        var waits = new EndpointWaits();
        Add(waits, 49, explained: 91);

        Add(waits, 1, explained: 0);

        waits.IsLearning.ShouldBeFalse();
    }

    // An endpoint whose lock was replaced by a sleep was advised forever to hold the lock for less time.
    [Fact]
    public void Shares_SpeakOfTheLastMinutes_WhileAllThatWasWatchedStaysCounted()
    {
        var waits = new EndpointWaits();
        for (var request = 0; request < 1000; request++)
        {
            waits.Add(blocked: 100.Ns(), explained: 100.Ns(), locks: 100.Ns(), Start);
        }

        for (var minute = 1; minute <= 8; minute++)
        {
            for (var request = 0; request < 20; request++)
            {
                waits.Add(blocked: 100.Ns(), explained: 0.Ns(), locks: 0.Ns(), Start + (minute * 61 * Second));
            }
        }

        waits.LockShare.ShouldBeLessThan(0.15);
        waits.Explained.ShouldNotBeNull().ShouldBeLessThan(0.15);
        waits.Watched.ShouldBe(1160 * 100.Ns());
    }

    // After 32 cold clients, whose requests were blocked three times as long as later ones, a synchronous command was reported as a lock.
    [Fact]
    public void Shares_AreOfTheWarmRequests_OnceThereAreSome()
    {
        var waits = new EndpointWaits();
        AddCold(waits, 10, locks: 80);
        waits.LockShare.ShouldBe(0.8, "nothing else is known yet");

        waits.Add(blocked: 100.Ns(), explained: 90.Ns(), locks: 10.Ns(), Start);
        AddCold(waits, 10, locks: 80);

        waits.LockShare.ShouldBe(0.1);
        waits.Explained.ShouldBe(0.9);
        waits.Watched.ShouldBe(21 * 100.Ns());
    }

    [Fact]
    public void Learning_IsNotEndedByColdRequests_UnlessThereAreFifty()
    {
        var waits = new EndpointWaits();
        AddCold(waits, 49, locks: 0);
        waits.IsLearning.ShouldBeTrue();

        AddCold(waits, 1, locks: 0);

        waits.IsLearning.ShouldBeFalse();
    }

    [Fact]
    public void Learning_NeedsFiveWarmRequests_AfterColdOnes()
    {
        var waits = new EndpointWaits();
        AddCold(waits, 10, locks: 0);

        Add(waits, 4, explained: 100);
        waits.IsLearning.ShouldBeTrue();
        Add(waits, 1, explained: 100);

        waits.IsLearning.ShouldBeFalse();
    }

    [Fact]
    public void Shares_AreKept_WhileFewRequestsCome()
    {
        var waits = new EndpointWaits();
        Add(waits, 19, explained: 100);

        for (var minute = 1; minute <= 30; minute++)
        {
            waits.Add(blocked: 100.Ns(), explained: 100.Ns(), locks: 0.Ns(), Start + (minute * 61 * Second));
        }

        waits.Explained.ShouldBe(1);
        waits.Watched.ShouldBe(49 * 100.Ns());
    }

    [Fact]
    public void Weight_IsHalved_AfterAMinuteAndTwentyRequests()
    {
        var waits = new EndpointWaits();
        Add(waits, 19, explained: 100);
        AddUnexplained(waits, Start + (60 * Second));
        waits.Explained.ShouldBe(19d / 20, "a minute, but nineteen requests");
        AddUnexplained(waits, Start + (60 * Second));
        waits.Explained.ShouldBe(950d / 1100, "a minute, and twenty requests");

        AddUnexplained(waits, Start + (120 * Second) - 1.Ns());
        waits.Explained.ShouldBe(950d / 1200, "less than a minute since");
        AddUnexplained(waits, Start + (120 * Second));
        waits.Explained.ShouldBe(950d / 1300, "another minute, but few requests");
        for (var request = 0; request < 17; request++)
        {
            AddUnexplained(waits, Start + (120 * Second));
        }

        waits.Explained.ShouldBe(950d / 3000, "nineteen more");
        AddUnexplained(waits, Start + (120 * Second));
        waits.Explained.ShouldBe(475d / 1600, "twenty more");
    }

    [Fact]
    public void Weight_IsHalved_AfterTwentyWarmRequests_HoweverManyColdOnesThereWere()
    {
        var waits = new EndpointWaits();
        AddCold(waits, 40, locks: 0);
        waits.Add(100.Ns(), 100.Ns(), Duration.Zero, Start + (60 * Second), isWarm: false);

        for (var request = 0; request < 20; request++)
        {
            waits.Add(100.Ns(), 100.Ns(), Duration.Zero, Start + (61 * Second));
        }

        AddUnexplained(waits, Start + (121 * Second));

        waits.Explained.ShouldBe(1000d / 1100);
    }

    [Fact]
    public void Locks_AreHalved_TogetherWithTheTimeOfWhichTheyAreAShare()
    {
        var waits = new EndpointWaits();
        for (var request = 0; request < 20; request++)
        {
            waits.Add(100.Ns(), 100.Ns(), locks: 100.Ns(), Start);
        }

        AddUnexplained(waits, Start + (60 * Second));

        waits.LockShare.ShouldBe(1000d / 1100);
    }

    [Fact]
    public void UnplacedHits_OfColdRequests_AreForgotten_WithTheirTimes()
    {
        var waits = new EndpointWaits();
        AddCold(waits, 1, locks: 0);
        waits.AddUnplacedHit();
        AddCold(waits, 1, locks: 0);
        waits.UnplacedHits.ShouldBe(1);

        Add(waits, 1, explained: 100);

        waits.UnplacedHits.ShouldBe(0);
    }

    [Theory]
    [InlineData(true, 50)]
    [InlineData(false, 500)]
    public void Learning_Ends_WhenNoneOfManyWatchedRequestsBlocks(bool isRare, int turns)
    {
        var waits = new EndpointWaits { IsRare = isRare };

        TakeTurns(waits, turns - 1);
        waits.IsLearning.ShouldBeTrue();
        TakeTurns(waits, 1);

        waits.IsLearning.ShouldBeFalse();
        waits.TryTakeTurn(Start).ShouldBeFalse();
    }

    // One in a few hundred requests may take the branch that blocks.
    [Fact]
    public void Learning_GoesOn_WhileAFewOfTheWatchedRequestsBlock()
    {
        var waits = new EndpointWaits();
        for (var request = 0; request < 4; request++)
        {
            TakeTurns(waits, 499);
            Add(waits, 1, explained: 100);
        }

        waits.IsLearning.ShouldBeTrue();
        TakeTurns(waits, 499);
        waits.IsLearning.ShouldBeTrue();
    }

    [Fact]
    public void Learning_BeginsAgain_WhenARequestBlocksThatWasNotWatched()
    {
        var waits = new EndpointWaits();
        TakeTurns(waits, 500);
        waits.IsLearning.ShouldBeFalse();

        waits.OnBlocked();

        waits.IsLearning.ShouldBeTrue();
        TakeTurns(waits, 499);
        waits.IsLearning.ShouldBeTrue("the turns count from the request that blocked");
    }

    [Fact]
    public void Learning_DoesNotBeginAgain_WhereTheWaitsAreKnown()
    {
        var waits = new EndpointWaits();
        Add(waits, 5, explained: 100);

        waits.OnBlocked();

        waits.IsLearning.ShouldBeFalse();
    }

    private static void TakeTurns(EndpointWaits waits, int turns)
    {
        for (var turn = 0; turn < turns; turn++)
        {
            waits.TryTakeTurn(Start).ShouldBeTrue();
        }
    }

    private static void AddUnexplained(EndpointWaits waits, Timestamp at) => waits.Add(100.Ns(), Duration.Zero, Duration.Zero, at);

    private static void AddCold(EndpointWaits waits, int requests, long locks)
    {
        for (var request = 0; request < requests; request++)
        {
            waits.Add(blocked: 100.Ns(), explained: 100.Ns(), locks.Ns(), Start, isWarm: false);
        }
    }

    private static void Add(EndpointWaits waits, int requests, long explained)
    {
        for (var i = 0; i < requests; i++)
        {
            waits.Add(100.Ns(), explained.Ns(), Duration.Zero, Start);
        }
    }
}
