using AsyncProbe.Blocking.Stacks;

namespace AsyncProbe.Blocking.Places;

/// <summary>
/// Finds the place of a wait: a statement with a call that can be the frame beneath. The reported place often isn't one. Optimised code
/// reports the start of the method, the previous statement or the next one.
/// </summary>
internal static class PlaceSearch
{
    /// <summary>Ordered by certainty. The first strategy that finds a place decides.</summary>
    private static readonly IPlaceStrategy[] s_table =
    [
        new HandlerPlaces(),
        new CallbackPlaces(),
        new NamedPlaces(),
        new StatementPlaces(),
        new VanishedPlaces(),
        new FrontPlaces(),
        new StackedPlaces(),
        new OnlyPlaces(),
        new NoPlaces(),
        new ContainerPlaces(),
        new OtherPlaces(),
        new DoubtfulPlaces(),
        new ReportedPlaces(),
    ];

    public static Place Find(PlaceQuestion question)
    {
        foreach (var strategy in s_table)
        {
            if (strategy.Find(question).ToList() is { Count: > 0 } places)
            {
                return Decide(question, places);
            }
        }

        return new Place(question.Method, SiteFrame.Unknown);
    }

    // With several candidate lines in one method, report the method without a line. If several methods may wait, report the method on the
    // stack, as a guess, or as their caller.
    private static Place Decide(PlaceQuestion question, List<Place> places)
    {
        if (places is [var only])
        {
            return only;
        }

        return places.Exists(p => p.Method != places[0].Method) ? new Place(question.Method, SiteFrame.Unknown)
            {
                IsGuess = true,
                IsCaller = !places.Exists(p => p.Method == question.Method),
            }
            : places[0].Line is { } line && places.TrueForAll(p => p.Line == line) ? places[0]
            : new Place(places[0].Method, SiteFrame.Unknown);
    }
}
