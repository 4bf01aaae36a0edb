namespace AsyncProbe.Blocking.Stacks;

/// <summary>At a call of the very method on the stack, which the reported statement neither makes nor leads to.</summary>
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
