namespace AsyncProbe.Blocking.Stacks;

/// <summary>At the reported statement, if it makes the call, or in a method that vanished into it.</summary>
internal sealed class StatementPlaces : IPlaceStrategy
{
    public IEnumerable<Place> Find(PlaceQuestion question) => Choose(question, question.StatementCalls);

    /// <summary>
    /// The reported place, if the method makes the call itself, and if several methods may have vanished into the statement that leads to
    /// them; else the calls.
    /// </summary>
    public static IEnumerable<Place> Choose(PlaceQuestion question, IReadOnlyList<Place> calls)
    {
        var makesIt = question.IlOffset >= 0 && calls.Any(p => p.Method == question.Method);
        return makesIt || (question.Part is null && calls.Select(p => p.Method).Distinct().Count() > 1)
            ? [new Place(question.Method, question.IlOffset)]
            : calls;
    }
}
