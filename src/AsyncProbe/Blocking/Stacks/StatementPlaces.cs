namespace AsyncProbe.Blocking.Stacks;

/// <summary>The reported statement, if it makes the call, or a place in a method that was inlined into it.</summary>
internal sealed class StatementPlaces : IPlaceStrategy
{
    public IEnumerable<Place> Find(PlaceQuestion question) => Choose(question, question.StatementCalls);

    /// <summary>
    /// The reported place, if the method itself makes the call or if several methods may have been inlined into the statement; otherwise
    /// the calls.
    /// </summary>
    public static IEnumerable<Place> Choose(PlaceQuestion question, IReadOnlyList<Place> calls)
    {
        var makesIt = question.IlOffset >= 0 && calls.Any(p => p.Method == question.Method);
        return makesIt || (question.Part is null && calls.Select(p => p.Method).Distinct().Count() > 1)
            ? [new Place(question.Method, question.IlOffset)]
            : calls;
    }
}
