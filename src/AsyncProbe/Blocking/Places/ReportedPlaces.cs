using AsyncProbe.Blocking.Code;
using AsyncProbe.Blocking.Kinds;
using AsyncProbe.Blocking.Methods;

namespace AsyncProbe.Blocking.Places;

/// <summary>The reported place.</summary>
internal sealed class ReportedPlaces : IPlaceStrategy
{
    // If the method is only a guess, none of its lines is shown.
    public IEnumerable<Place> Find(PlaceQuestion question) =>
    [
        new Place(question.Method, question.IlOffset)
        {
            IsGuess = question.IlOffset < 0 && question.Part is not null,
            IsCaller = question.IsOwnPlace && question.StatementCalls.Count == 0 && RunsOtherCode(question),
        },
    ];

    // If the statement doesn't make the call, the application's code that it runs does, and was inlined.
    private static bool RunsOtherCode(PlaceQuestion question) =>
        question.Call is { Owner: FrameOwner.Core, Kind: not (WaitKind.Other or WaitKind.Lock) }
        && CallSiteIl.Calls(question.Method, question.Statement.From, question.Statement.To).Any(call =>
            question.Frames.UserMethods.IsUserCode(call.Target.Module.Assembly)
            || call.Target.DeclaringType?.IsSubclassOf(typeof(Delegate)) == true);
}
