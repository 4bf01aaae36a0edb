namespace AsyncProbe.Blocking.Places;

/// <summary>A later call, while a value of the reported statement is still on the evaluation stack.</summary>
internal sealed class StackedPlaces : IPlaceStrategy
{
    public IEnumerable<Place> Find(PlaceQuestion question)
    {
        if (question.IlOffset >= 0 && question.Nearby.FindStacked(question.Method, question.Statement.From) is { } stacked)
        {
            yield return new Place(question.Method, stacked);
        }
    }
}
