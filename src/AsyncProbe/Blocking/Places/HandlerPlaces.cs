using AsyncProbe.Blocking.Stacks;

namespace AsyncProbe.Blocking.Places;

/// <summary>A call in a handler of the method. While a thread is in a handler, the runtime reports another place of the method.</summary>
internal sealed class HandlerPlaces : IPlaceStrategy
{
    public IEnumerable<Place> Find(PlaceQuestion question)
    {
        if (!question.IsOwnPlace)
        {
            yield break;
        }

        var found = new HandlerSearch(question.Call, question.Frames).Find(
            question.Method, question.IlOffset, question.Statement, question.IsInCatch, mayLead: question.StatementCalls.Count > 0);
        if (found is { Method: { } method })
        {
            yield return new Place(method, found.IlOffset, found.LineOffset);
        }
        else if (found is not null)
        {
            yield return new Place(question.Method, SiteFrame.Unknown) { IsGuess = true };
        }
    }
}
