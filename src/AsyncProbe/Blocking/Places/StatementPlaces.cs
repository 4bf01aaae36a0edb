using AsyncProbe.Blocking.Code;
using AsyncProbe.Blocking.Kinds;
using AsyncProbe.Blocking.Methods;
using AsyncProbe.Blocking.Stacks;

namespace AsyncProbe.Blocking.Places;

/// <summary>The reported statement, if it makes the call, or a place in a method that was inlined into it.</summary>
internal sealed class StatementPlaces : IPlaceStrategy
{
    public IEnumerable<Place> Find(PlaceQuestion question) => Choose(question, question.StatementCalls);

    /// <summary>
    /// The reported place, if the method itself makes the call or if several methods may have been inlined into the statement; otherwise
    /// the calls. The method without a place, if another of its statements calls the library's method by name: optimised code reports a
    /// wrong statement more often than it inlines a second method that makes the same call.
    /// </summary>
    public static IEnumerable<Place> Choose(PlaceQuestion question, IReadOnlyList<Place> calls)
    {
        if (question is { IlOffset: >= 0, Part: null, Call: { Owner: FrameOwner.Library, Kind: WaitKind.Other } }
            && calls.Count > 0 && calls.All(p => p.Method != question.Method)
            && CallSiteIl.CallsButAwaits(question.Method).Any(c => CallSiteIl.IsNamed(c.Target, question.Call)))
        {
            return [new Place(question.Method, SiteFrame.Unknown)];
        }

        var makesIt = question.IlOffset >= 0 && calls.Any(p => p.Method == question.Method);
        return makesIt || (question.Part is null && calls.Select(p => p.Method).Distinct().Count() > 1)
            ? [new Place(question.Method, question.IlOffset) { IsCaller = !makesIt }]
            : calls;
    }
}
