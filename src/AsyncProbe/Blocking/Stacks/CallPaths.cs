using System.Diagnostics;
using System.Reflection;

namespace AsyncProbe.Blocking.Stacks;

/// <summary>
/// Finds methods that optimised code took into their callers: they are on no stack, and only the callers' instructions tell of them.
/// Follows calls of the application's own methods from one that is known to one that calls what the stack shows next.
/// </summary>
internal static class CallPaths
{
    private const int Deepest = 5;

    /// <summary>
    /// Whether a method calls another, itself or through methods of its own assembly. For the thread that waited too: asked once for each
    /// pair.
    /// </summary>
    public static bool Calls(FrameInfo from, FrameInfo call) =>
        from.Calls(call, static (caller, target) =>
        {
            if (caller.Method is not { } method)
            {
                return false;
            }

            var assembly = method.Module.Assembly;
            return Find(method, 0, int.MaxValue, target, own => own == assembly, overrides: null).Count > 0;
        });

    /// <summary>Whether what a method calls may vanish into it: not where its assembly asks for code that runs as it is written.</summary>
    public static bool MayVanishInto(MethodBase caller) =>
        caller.Module.Assembly.GetCustomAttribute<DebuggableAttribute>() is not { IsJITOptimizerDisabled: true };

    /// <summary>The places in own code, reached from a part of a method, that make the call.</summary>
    /// <param name="method">Where to begin.</param>
    /// <param name="from">The part's first instruction.</param>
    /// <param name="to">The end of the part.</param>
    /// <param name="call">What is called in the end.</param>
    /// <param name="isOwn">Whose methods are followed.</param>
    /// <param name="overrides">What may run in the place of a virtual method; null to follow the method itself alone.</param>
    /// <param name="isNamedOnly">Whether a call that only waits in the same way is none.</param>
    public static List<(MethodBase Method, int IlOffset)> Find(
        MethodBase method, int from, int to, FrameInfo call, Func<Assembly, bool> isOwn, Func<MethodInfo,
            IEnumerable<MethodBase>>? overrides, bool isNamedOnly = false)
    {
        List<(MethodBase Method, int IlOffset)> found = [];
        HashSet<MethodBase> seen = [method];
        Follow(method, from, to, 0);
        return found;

        void Follow(MethodBase caller, int first, int end, int depth)
        {
            var calls = CallSiteIl.CallsButAwaits(caller, first, end).ToList();
            var places = calls.Where(c => isNamedOnly
                ? CallSiteIl.IsNamed(c.Target, call)
                : CallSiteIl.IsSame(c.Target, call) || InlinedCalls.Lead(c.Target, call)).ToList();
            if (places.Count == 0 && !isNamedOnly)
            {
                var alike = calls.Where(c => CallSiteIl.IsAlike(c.Target, call)).ToList();
                var named = alike.Where(c => c.Target.Name == call.MethodName).ToList();
                places = named.Count > 0 ? named : alike;
            }

            found.AddRange(places.Select(c => (caller, c.Offset)));
            if (places.Count > 0 || depth == Deepest)
            {
                return;
            }

            foreach (var (offset, target) in calls)
            {
                foreach (var next in NextOf(caller, offset, target))
                {
                    if (isOwn(next.Module.Assembly) && seen.Add(next))
                    {
                        Follow(next, 0, int.MaxValue, depth + 1);
                    }
                }
            }
        }

        IEnumerable<MethodBase> NextOf(MethodBase caller, int offset, MethodBase target) =>
            target is not MethodInfo { IsVirtual: true, IsFinal: false } v || overrides is null ? [target]
            : InterfaceCalls.ImplementationOf(caller, offset, target) is { } implementation ? [implementation]
            : overrides(v);
    }
}
