namespace AsyncProbe.Blocking.Stacks;

/// <summary>
/// In the application's methods of a part, all of which may have vanished into the framework. Only where the stack shows no own method: a
/// shown one is never passed over for another.
/// </summary>
internal sealed class VanishedPlaces : IPlaceStrategy
{
    public IEnumerable<Place> Find(PlaceQuestion question) =>
        question.Part is { } part
            ? question.Frames.UserMethods.Find(part).SelectMany(own => question.CallsIn(own, 0, int.MaxValue)).Distinct()
            : [];
}
