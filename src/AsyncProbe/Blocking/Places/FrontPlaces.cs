using AsyncProbe.Blocking.Code;

namespace AsyncProbe.Blocking.Places;

/// <summary>The call before the reported place: precompiled code reports where a call returns.</summary>
internal sealed class FrontPlaces : IPlaceStrategy
{
    public IEnumerable<Place> Find(PlaceQuestion question) =>
        question.IlOffset >= CallSiteIl.CallLength
            ? StatementPlaces.Choose(
                question, question.CallsIn(question.Method, question.IlOffset - CallSiteIl.CallLength, question.IlOffset))
            : [];
}
