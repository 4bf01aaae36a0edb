namespace AsyncProbe.Blocking.Places;

/// <summary>A call of exactly the method on the stack, when the reported statement neither makes that call nor leads to it.</summary>
internal sealed class NamedPlaces : IPlaceStrategy
{
    public IEnumerable<Place> Find(PlaceQuestion question)
    {
        if (question.IsOwnPlace && !question.StatementCalls.Any(p => p.Method == question.Method)
            && question.Nearby.FindElsewhere(question.Method, question.Statement.From, question.Statement.To) is { } elsewhere)
        {
            yield return new Place(question.Method, elsewhere);
        }
    }
}
