using System.Reflection;

namespace AsyncProbe.Blocking.Stacks;

/// <summary>Finds the call that a stack shows where the runtime tells another statement of the same method.</summary>
/// <param name="call">The nearest frame beneath the method.</param>
/// <param name="frames">Knows the application's methods.</param>
internal sealed class NearbyCalls(FrameInfo call, Frames frames)
{
    /// <summary>
    /// The call that the stack shows, by its name, where the told statement neither makes it nor leads to it. Optimised code that takes a
    /// library's small method in has no place for the call that is left of it, and the runtime tells one nearby, before it or behind.
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
            // Precompiled code may have no place for a statement, and then the one before it is told.
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

    /// <summary>The call behind the told statement, while a value of that is still on the evaluation stack: it is told too early.</summary>
    public int? FindStacked(MethodBase method, int from) =>
        StackedCalls.Find(method, from, Makes, offset => SourceLines.Statement(method, offset)?.From == offset);

    /// <summary>
    /// The only call of the method that the stack can show, if the told statement calls nothing that could have vanished. Most are told too
    /// early; precompiled code may tell the statement behind.
    /// </summary>
    public int? FindOnly(MethodBase method, int from, int to) =>
        !CallSiteIl.Calls(method, from, to).Any(c => MayLead(c.Target))
        && CallSiteIl.CallsButAwaits(method).Where(c => Makes(c.Target)).ToList() is [var only]
            ? only.Offset
            : null;

    // What a delegate or a virtual method runs may be known to nobody.
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
