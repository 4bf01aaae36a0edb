using System.Reflection;
using AsyncProbe.Blocking.Code;
using AsyncProbe.Blocking.Kinds;
using AsyncProbe.Blocking.Sources;
using AsyncProbe.Blocking.Stacks;

namespace AsyncProbe.Blocking.Places;

/// <summary>
/// Any call in the method that can be the one on the stack, when the reported statement can't make it: a property, a constant, a brace or a
/// <c>return</c> waits for nothing. Without such a call, the result is the method without a line.
/// </summary>
internal sealed class OtherPlaces : IPlaceStrategy
{
    public IEnumerable<Place> Find(PlaceQuestion question)
    {
        var (from, to) = question.Statement;
        if (!question.IsOwnPlace || question.Call.IsTypeStart || !SourceLines.AreKnown(question.Method)
            || StatementReach.MayMake(question.Method, from, to, question.Call, question.Frames.UserMethods))
        {
            return [];
        }

        var calls = question.CallsIn(question.Method, 0, int.MaxValue)
            .Concat(
                CallSiteIl.CallsButAwaits(question.Method).Where(c => MayBe(question, c.Offset, c.Target))
                    .Select(c => new Place(question.Method, c.Offset)))
            .Distinct().ToList();
        return calls.Count > 0 ? calls : [new Place(question.Method, SiteFrame.Unknown)];
    }

    private static bool MayBe(PlaceQuestion question, int offset, MethodBase target) =>
        CallSiteIl.IsNamed(target, question.Call) || CallSiteIl.Makes(target, question.Call)
            // Processes and other things wait with a handle inside.
            || (question.Call.Kind == WaitKind.WaitHandle && CallSiteIl.Waits(target))
            || InterfaceCalls.MayRun(question.Method, offset, target, question.Call);
}
