namespace AsyncProbe.Blocking.Stacks;

/// <summary>
/// Calls in the application methods of one kind, any of which may have been inlined into the framework. Used only when the stack shows no
/// application method: one that is shown is never passed over for another.
/// </summary>
internal sealed class VanishedPlaces : IPlaceStrategy
{
    public IEnumerable<Place> Find(PlaceQuestion question) =>
        question.Part is { } part
            ? question.Frames.UserMethods.Find(part).SelectMany(own => question.CallsIn(own, 0, int.MaxValue)).Distinct()
            : [];
}
