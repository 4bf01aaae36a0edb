using System.Collections;
using System.Diagnostics;
using System.Reflection;
using System.Runtime.CompilerServices;
using AsyncProbe.Blocking.Methods;

namespace AsyncProbe.Blocking.Code;

/// <summary>
/// Finds methods that optimised code inlined into their callers. They are on no stack; only the callers' instructions show them. The search
/// follows calls between the application's methods, from a known one to one that calls the next frame on the stack.
/// </summary>
internal static class CallPaths
{
    /// <summary>How many methods lie, at most, between a call and a method that it was inlined into. More are possible, but rare.</summary>
    public const int Close = 1;

    private const int Deepest = 5;

    private static readonly Func<FrameInfo, FrameInfo, int, bool> s_find = Find;

    /// <summary>
    /// Whether a method calls another, directly or through methods of its own assembly. The answer is cached for each pair, because the
    /// thread that waited may also ask.
    /// </summary>
    /// <param name="from">The method.</param>
    /// <param name="call">The other method.</param>
    /// <param name="deepest">How many methods may lie between.</param>
    public static bool Calls(FrameInfo from, FrameInfo call, int deepest = Deepest) => from.Calls(call, deepest, s_find);

    /// <summary>Whether callees may be inlined into a method. False when its assembly was built with JIT optimisation disabled.</summary>
    public static bool MayVanishInto(MethodBase caller) =>
        caller.Module.Assembly.GetCustomAttribute<DebuggableAttribute>() is not { IsJITOptimizerDisabled: true };

    /// <summary>The places in application code, reachable from a part of a method, that make the call.</summary>
    /// <param name="method">The method to start from.</param>
    /// <param name="from">The part's first instruction.</param>
    /// <param name="to">The last offset of the part.</param>
    /// <param name="call">The call to find.</param>
    /// <param name="isOwn">Whether the methods of an assembly are followed.</param>
    /// <param name="overrides">Finds the methods that may run in place of a virtual method; null to follow only the method itself.</param>
    /// <param name="isNamedOnly">Whether to ignore calls that only wait in the same way.</param>
    /// <param name="deepest">How many methods may lie between.</param>
    public static List<(MethodBase Method, int IlOffset)> Find(
        MethodBase method, int from, int to, FrameInfo call, Func<Assembly, bool> isOwn, Func<MethodInfo,
            IEnumerable<MethodBase>>? overrides, bool isNamedOnly = false, int deepest = Deepest)
    {
        List<(MethodBase Method, int IlOffset)> found = [];
        HashSet<MethodBase> seen = [method];
        Follow(method, from, to, 0);
        return found;

        void Follow(MethodBase caller, int first, int end, int depth)
        {
            var calls = CallSiteIl.CallsButAwaits(caller, first, end).ToList();
            var places = calls.Where(c => CallSiteIl.IsNamed(c.Target, call)).ToList();
            if (places.Count == 0)
            {
                places = calls.Where(c => IsInherited(caller, c.Offset, c.Target)).ToList();
            }

            if (places.Count == 0 && !isNamedOnly)
            {
                var alike = calls.Where(c => CallSiteIl.IsAlike(c.Target, call)).ToList();
                var named = alike.Where(c => c.Target.Name == call.SourceName).ToList();
                places = named.Count > 0 ? named : alike;
            }

            found.AddRange(places.Select(c => (caller, c.Offset)));
            if (places.Count > 0 || depth == deepest)
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

        // An interface of the application, implemented by a method that its class inherits from a library.
        bool IsInherited(MethodBase caller, int offset, MethodBase target) =>
            target is { Name: var name, DeclaringType: { IsInterface: true } type } && name == call.SourceName && isOwn(type.Assembly)
                && NextOf(caller, offset, target).Any(run => CallSiteIl.IsNamed(run, call));

        IEnumerable<MethodBase> NextOf(MethodBase caller, int offset, MethodBase target) =>
            IsEnumeration(target) ? IteratorsOf(caller)
            : target is not MethodInfo { IsVirtual: true, IsFinal: false } v || overrides is null ? [target]
            : InterfaceCalls.ImplementationOf(caller, offset, target) is { } implementation ? [implementation]
            : overrides(v);
    }

    private static bool IsEnumeration(MethodBase target) =>
        target.Name == nameof(IEnumerator.MoveNext) && target.DeclaringType == typeof(IEnumerator);

    // An iterator's code runs where it is enumerated. The method that calls it usually enumerates it as well.
    private static IEnumerable<MethodBase> IteratorsOf(MethodBase caller) =>
        MethodCode.Get(caller).Calls.Select(call => SourceMethod.MovedTo<IteratorStateMachineAttribute>(call.Target)).OfType<MethodBase>();

    private static bool Find(FrameInfo caller, FrameInfo target, int deepest)
    {
        if (caller.Method is not { } method)
        {
            return false;
        }

        var assembly = method.Module.Assembly;
        return Find(method, 0, int.MaxValue, target, own => own == assembly, overrides: null, deepest: deepest).Count > 0;
    }
}
