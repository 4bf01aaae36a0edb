using Xunit.Abstractions;

namespace AsyncProbe.Faults.Tests;

/// <summary>
/// Each place of our packages that allocates, starts a thread or opens something fails once when it is first reached (cold), and once
/// after it has worked (warm). The host must still answer every request correctly, and AsyncProbe must measure again afterwards. CI takes
/// a seeded tenth of the places; <c>tests/full</c> takes the other nine.
/// </summary>
public sealed class InjectedFaultsTests(ITestOutputHelper output)
{
    private const int Seed = 32;
    private const int Tenths = 10;

    // One pass without faults reaches less than the whole bench, which also sees what follows a fault.
    private const double LeastReached = 0.92;

    public static TheoryData<int> TheOtherTenths => [.. Enumerable.Range(1, Tenths - 1)];

    [Fact]
    [Trait("Category", "Full")]
    public async Task Host_ReachesNearlyAllPlaces()
    {
        using var copy = new FaultyCopy();
        var injection = new Injection(copy);
        await injection.ReachAsync();

        injection.Result.Escaped.ShouldBeEmpty();
        var counted = copy.Places.Where(place => place.Excluded is null).ToList();
        var missed = counted.Where(place => !injection.Result.Reached.Contains(place.Id)).ToList();
        foreach (var place in missed)
        {
            output.WriteLine($"{place.Id} {place.Method}: {place.What}");
        }

        (1 - ((double)missed.Count / counted.Count)).ShouldBeGreaterThan(LeastReached, $"{missed.Count} of {counted.Count} places missed");
    }

    [Fact]
    public Task Host_AnswersEverythingRight_WhereAPlaceFails() => FailAsync(0);

    [Theory]
    [MemberData(nameof(TheOtherTenths))]
    [Trait("Category", "Full")]
    public Task Host_AnswersEverythingRight_WhereverAPlaceFails(int tenth) => FailAsync(tenth);

    // An exception of the first two would be thrown again on a pool thread or into the request, and one of the others ends the process.
    [Theory]
    [InlineData("BlockingContext", "HopRescue", "PostedCallback")]
    [InlineData("ThreadSlot", "ThreadSlots", "ThreadSegments")]
    public async Task Host_AnswersEverythingRight_WhereTheHookOrTheContextHandlerHasNoMemory(params string[] types)
    {
        using var copy = new FaultyCopy();
        var chosen = copy.Places.Where(place => place.CanFail && types.Any(type => place.Method.Contains("." + type + ".", StringComparison.Ordinal))
            && place.What.StartsWith("newobj", StringComparison.Ordinal)).ToList();
        var injection = new Injection(copy, isBrief: true);
        await injection.FailColdAsync(chosen);
        await injection.FailWarmAsync(chosen);

        injection.Result.Escaped.ShouldBeEmpty();
        injection.Result.FailedCold.ShouldNotBeEmpty(string.Join("; ", chosen));
    }

    private async Task FailAsync(int tenth)
    {
        using var copy = new FaultyCopy();
        var injection = new Injection(copy);
        var chosen = Choose(copy.Places, tenth);
        await injection.FailColdAsync(chosen);
        await injection.FailWarmAsync(chosen);

        var result = injection.Result;
        output.WriteLine($"Of {chosen.Count} places, {result.FailedCold.Count} failed cold and {result.FailedWarm.Count} warm.");
        await InjectionTable.KeepAsync(tenth, copy.Places, result);
        result.Escaped.ShouldBeEmpty();
        result.FailedCold.ShouldNotBeEmpty();
        result.FailedWarm.ShouldNotBeEmpty();
    }

    // The same places fall into the same tenth in each build of the same code.
    private static List<Place> Choose(IReadOnlyList<Place> places, int tenth)
    {
        var random = new Random(Seed);
        return [.. places.Where(place => (random.Next(Tenths) == tenth) & place.CanFail)];
    }
}
