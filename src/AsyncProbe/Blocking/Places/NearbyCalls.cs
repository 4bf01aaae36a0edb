using System.Reflection;
using AsyncProbe.Blocking.Code;
using AsyncProbe.Blocking.Methods;
using AsyncProbe.Blocking.Sources;

namespace AsyncProbe.Blocking.Places;

/// <summary>Finds the call on the stack when the runtime reports another statement of the same method.</summary>
/// <param name="call">The nearest frame beneath the method.</param>
/// <param name="frames">Describes methods and lists the application's.</param>
internal sealed class NearbyCalls(FrameInfo call, Frames frames)
{
    /// <summary>
    /// The call on the stack, found by name, when the reported statement neither makes it nor leads to it. When optimised code inlines a
    /// library's small method, the call that is left of it has no place of its own. The runtime then reports a place nearby, before or
    /// after the call.
    /// </summary>
    public int? FindElsewhere(MethodBase method, int from, int to)
    {
        var named = CallSiteIl.CallsButAwaits(method).Where(c => CallSiteIl.IsNamed(c.Target, call)).ToList();
        if (named.Count == 0 || named.Exists(c => c.Offset >= from && c.Offset <= to))
        {
            return null;
        }

        if (named.Count > 1 && named[^1].Offset >= from)
        {
            // Precompiled code may have no place for a statement, and the runtime then reports the statement before it.
            var (first, last) = to < int.MaxValue ? CallSiteIl.Statement(method, to + 1) : (from, to);
            named = named.FindAll(c => c.Offset >= first && c.Offset <= last);
            if (named.Count != 1)
            {
                return null;
            }
        }

        var called = CallSiteIl.Calls(method, from, to).Select(c => c.Target).ToList();
        return called.Exists(t => MayBeAnything(t) || CallSiteIl.IsAlike(t, call)) || LeadsByName(method, from, to, called)
            ? null
            : named[^1].Offset;
    }

    /// <summary>
    /// The call after the reported statement, while one of that statement's values is still on the evaluation stack. In this case the
    /// reported place is too early.
    /// </summary>
    public int? FindStacked(MethodBase method, int from) =>
        StackedCalls.Find(method, from, Makes, offset => SourceLines.Statement(method, offset)?.From == offset);

    /// <summary>
    /// The only call in the method that can be the one on the stack, if the reported statement calls nothing that could have been inlined.
    /// The reported place is usually too early; in precompiled code it may be the next statement.
    /// </summary>
    public int? FindOnly(MethodBase method, int from, int to) =>
        !CallSiteIl.Calls(method, from, to).Any(c => MayLead(c.Target))
        && CallSiteIl.CallsButAwaits(method).Where(c => Makes(c.Target)).ToList() is [var only]
            ? only.Offset
            : null;

    // The code that a delegate or a virtual method runs may be unknown.
    private static bool MayBeAnything(MethodBase target) =>
        target.DeclaringType?.IsSubclassOf(typeof(Delegate)) == true
        || (target is { IsVirtual: true, IsFinal: false, IsSpecialName: false } && target.Module != typeof(object).Module);

    private bool LeadsByName(MethodBase method, int from, int to, List<MethodBase> called)
    {
        var own = frames.UserMethods;
        var assemblies = called.Select(t => t.Module.Assembly).Where(a => a != typeof(object).Assembly).ToHashSet();
        return CallPaths.Find(
            method, from, to, call, a => assemblies.Contains(a) || own.IsUserCode(a), own.Overrides, isNamedOnly: true).Count > 0;
    }

    private bool MayLead(MethodBase target) =>
        MayBeAnything(target)
            || (target.Module != typeof(object).Module && !target.IsSpecialName && CallPaths.Calls(frames.Get(target), call));

    private bool Makes(MethodBase target) => CallSiteIl.Makes(target, call);
}
