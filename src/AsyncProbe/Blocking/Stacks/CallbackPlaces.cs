namespace AsyncProbe.Blocking.Stacks;

/// <summary>
/// The wait in a delegate that the statement passes to a library. Optimised code inlines the delegate's method into the library's, so that
/// the stack shows only the statement.
/// </summary>
internal sealed class CallbackPlaces : IPlaceStrategy
{
    public IEnumerable<Place> Find(PlaceQuestion question)
    {
        if (question.WaitOfCallback is not { } wait || !question.IsOwnPlace)
        {
            return [];
        }

        var (from, to) = question.Statement;
        var places = MethodCode.Get(question.Method).Delegates
            .Where(made => made.Offset >= from && made.Offset <= to && question.Frames.UserMethods.IsUserCode(made.Target.Module.Assembly))
            .SelectMany(made => question.CallsIn(made.Target, 0, int.MaxValue, wait))
            .Distinct().ToList();

        // With several, the statement says more than a method without a line.
        return places.Count == 1 ? places : [];
    }
}
