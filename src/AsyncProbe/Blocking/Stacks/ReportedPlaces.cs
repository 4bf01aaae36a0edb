namespace AsyncProbe.Blocking.Stacks;

/// <summary>The reported place.</summary>
internal sealed class ReportedPlaces : IPlaceStrategy
{
    // If the method is only a guess, none of its lines is shown.
    public IEnumerable<Place> Find(PlaceQuestion question) =>
        [new Place(question.Method, question.IlOffset) { IsGuess = question.IlOffset < 0 && question.Part is not null }];
}
