using System.Reflection;
using AsyncProbe.Blocking.Code;
using AsyncProbe.Blocking.Methods;
using AsyncProbe.Blocking.Sources;

namespace AsyncProbe.Blocking.Places;

/// <summary>
/// Searches a method's exception handlers for the call on the stack, when the runtime reports another place of the method.
/// </summary>
/// <param name="call">The nearest frame beneath the method.</param>
/// <param name="frames">Describes methods and lists the application's.</param>
internal sealed class HandlerSearch(FrameInfo call, Frames frames)
{
    /// <summary>
    /// The place of the call in a handler; null when no handler makes the call. If several places make it, or the statement may have made
    /// it, the result has no method, because the place is unknown.
    /// </summary>
    /// <param name="method">The method on the stack.</param>
    /// <param name="ilOffset">The reported place in it.</param>
    /// <param name="statement">The statement there.</param>
    /// <param name="isInCatch">Whether the thread is handling an exception; null when unknown.</param>
    /// <param name="mayLead">Whether the statement may lead to a similar wait.</param>
    public HandlerPlace? Find(MethodBase method, int ilOffset, (int From, int To) statement, bool? isInCatch, bool mayLead)
    {
        var handlers = Handlers.Find(method, ilOffset, isInCatch).ToList();
        if (handlers.Count == 0)
        {
            return null;
        }

        // A call that only waits in the same way doesn't count when another call has exactly the right name.
        var isNamedOnly = handlers.Exists(h => Calls(method, h.HandlerOffset, EndOf(h), isNamedOnly: true).Any())
            || Calls(method, statement.From, statement.To, isNamedOnly: true).Any();
        var places = handlers.SelectMany(h => PlacesIn(method, h, isNamedOnly)).ToList();
        if (places.Count == 0)
        {
            return null;
        }

        var lines = places.DistinctBy(LineOf).ToList();
        var mayBeTheStatement = Calls(method, statement.From, statement.To, isNamedOnly).Any()
            || (CallPaths.MayVanishInto(method) && MayHaveVanished());
        return lines is [var only] && (!mayBeTheStatement || LineOf(only) == (method, SourceLines.Find(method, ilOffset)?.Line))
            ? only
            : new HandlerPlace(null, 0, 0);

        // A thread that is handling an exception is unlikely to wait in the statement that threw it, unless the name matches exactly.
        bool MayHaveVanished() =>
            RunsADelegate(method, statement) || Named(method, statement.From, statement.To).Count > 0
            || (ilOffset == 0 && IsAlsoElsewhere(method, handlers, isNamedOnly))
            || ((ilOffset == 0 || isInCatch != true)
                && (mayLead || new NearbyCalls(call, frames).FindStacked(method, statement.From) is not null));
    }

    private static (MethodBase? Method, int? Line) LineOf(HandlerPlace place) =>
        (place.Method, SourceLines.Find(place.Method!, place.LineOffset)?.Line);

    private static bool RunsADelegate(MethodBase method, (int From, int To) statement) =>
        CallSiteIl.Calls(method, statement.From, statement.To).Any(c => c.Target.DeclaringType?.IsSubclassOf(typeof(Delegate)) == true);

    private static int EndOf(ExceptionHandlingClause handler) => handler.HandlerOffset + handler.HandlerLength - 1;

    // In the optimised code of an asynchronous method, the runtime may report offset 0 for any place.
    private bool IsAlsoElsewhere(MethodBase method, List<ExceptionHandlingClause> handlers, bool isNamedOnly) =>
        method.Name == "MoveNext"
        && Calls(method, 0, int.MaxValue, isNamedOnly).Any(at => !handlers.Exists(h => at >= h.HandlerOffset && at <= EndOf(h)));

    private IEnumerable<HandlerPlace> PlacesIn(MethodBase method, ExceptionHandlingClause handler, bool isNamedOnly)
    {
        var own = Calls(method, handler.HandlerOffset, EndOf(handler), isNamedOnly).ToList();
        return own.Count > 0 || !CallPaths.MayVanishInto(method)
            ? own.Select(at => new HandlerPlace(method, at, Handlers.PlaceWithALine(method, handler, at)))
            : Named(method, handler.HandlerOffset, EndOf(handler)).Select(p => new HandlerPlace(p.Method, p.IlOffset, p.IlOffset));
    }

    private IEnumerable<int> Calls(MethodBase method, int from, int to, bool isNamedOnly) =>
        CallSiteIl.CallsButAwaits(method, from, to)
            .Where(c => CallSiteIl.IsNamed(c.Target, call) || InterfaceCalls.MayRun(method, c.Offset, c.Target, call)
                || (!isNamedOnly && CallSiteIl.Makes(c.Target, call)))
            .Select(c => c.Offset);

    private List<(MethodBase Method, int IlOffset)> Named(MethodBase method, int from, int to) =>
        CallPaths.Find(method, from, to, call, frames.UserMethods.IsUserCode, frames.UserMethods.Overrides, isNamedOnly: true);
}

/// <summary>A place in a handler.</summary>
/// <param name="Method">The method, or one that was inlined into it; null when the place is unknown.</param>
/// <param name="IlOffset">The place of the call.</param>
/// <param name="LineOffset">The place that has the call's line.</param>
internal sealed record HandlerPlace(MethodBase? Method, int IlOffset, int LineOffset);
