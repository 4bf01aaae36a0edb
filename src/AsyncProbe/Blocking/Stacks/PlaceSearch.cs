namespace AsyncProbe.Blocking.Stacks;

/// <summary>
/// Finds the place of a wait. A place is a statement that contains a call which the frame beneath can be. The reported one often is not:
/// optimised code reports the beginning of a method, the statement before, or the one behind.
/// </summary>
internal static class PlaceSearch
{
    /// <summary>Surest first: the first that has an answer gives it.</summary>
    private static readonly IPlaceStrategy[] s_table =
    [
        new HandlerPlaces(),
        new NamedPlaces(),
        new StatementPlaces(),
        new VanishedPlaces(),
        new FrontPlaces(),
        new StackedPlaces(),
        new OnlyPlaces(),
        new NoPlaces(),
        new OtherPlaces(),
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

    // Several lines of a method are the method without a line. If several methods may wait, the method on the stack is shown, as a
    // guess.
    private static Place Decide(PlaceQuestion question, List<Place> places)
    {
        if (places is [var only])
        {
            return only;
        }

        return places.Exists(p => p.Method != places[0].Method) ? new Place(question.Method, SiteFrame.Unknown) { IsGuess = true }
            : places[0].Line is { } line && places.TrueForAll(p => p.Line == line) ? places[0]
            : new Place(places[0].Method, SiteFrame.Unknown);
    }
}
