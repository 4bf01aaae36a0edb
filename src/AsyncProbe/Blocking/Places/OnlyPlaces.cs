namespace AsyncProbe.Blocking.Places;

/// <summary>The only call in the method that can be the one on the stack.</summary>
internal sealed class OnlyPlaces : IPlaceStrategy
{
    public IEnumerable<Place> Find(PlaceQuestion question)
    {
        var (from, to) = question.Statement;
        if (question.IlOffset >= 0 && question.Nearby.FindOnly(question.Method, from, to) is { } only)
        {
            yield return new Place(question.Method, only);
        }
    }
}
