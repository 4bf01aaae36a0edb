using AsyncProbe.Blocking.Code;
using AsyncProbe.Blocking.Stacks;

namespace AsyncProbe.Blocking.Places;

/// <summary>The method without a place, when the reported place is not one of a call.</summary>
internal sealed class NoPlaces : IPlaceStrategy
{
    public IEnumerable<Place> Find(PlaceQuestion question)
    {
        if (Handlers.IsNoPlace(question.Method, question.IlOffset, question.IsInCatch))
        {
            yield return new Place(question.Method, SiteFrame.Unknown);
        }
    }
}
