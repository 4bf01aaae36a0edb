using AsyncProbe.Blocking.Code;
using AsyncProbe.Blocking.Sources;
using AsyncProbe.Blocking.Stacks;

namespace AsyncProbe.Blocking.Places;

/// <summary>
/// The method without a place, when the reported statement can make the call only through code that is unknown, such as a delegate's, and
/// another statement of the method is known to make it.
/// </summary>
internal sealed class DoubtfulPlaces : IPlaceStrategy
{
    // Farther methods are rarely inlined.
    private const int Deepest = 2;

    public IEnumerable<Place> Find(PlaceQuestion question)
    {
        var methods = question.Frames.UserMethods;
        if (question.IsOwnPlace && question.StatementCalls.Count == 0 && SourceLines.AreKnown(question.Method)
            && CallPaths.Find(
                question.Method, 0, int.MaxValue, question.Call, methods.IsUserCode, methods.Overrides, deepest: Deepest).Count > 0)
        {
            yield return new Place(question.Method, SiteFrame.Unknown);
        }
    }
}
