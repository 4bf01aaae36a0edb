using System.Reflection;
using AsyncProbe.Blocking.Kinds;
using AsyncProbe.Blocking.Methods;

namespace AsyncProbe.Blocking.Code;

/// <summary>Decides whether a statement may have made the call on the stack. If in doubt, it may have.</summary>
internal static class StatementReach
{
    private const int Deepest = 5;

    public static bool MayMake(MethodBase method, int from, int to, FrameInfo call, UserMethods own)
    {
        return MayReach(method, from, to, Deepest);

        bool MayReach(MethodBase caller, int first, int last, int depth)
        {
            var code = MethodCode.Get(caller);
            return code.Instructions.Count == 0 || depth == 0
                || code.Calls.Any(c => c.Offset >= first && c.Offset <= last && May(caller, c, depth));
        }

        bool May(MethodBase caller, MethodCode.Call made, int depth)
        {
            var target = made.Target;
            if (EfCoreCalls.RunsAnotherCommand(target, call))
            {
                return false;
            }

            if (target.DeclaringType is not { } type || CallSiteIl.IsNamed(target, call) || CallSiteIl.Makes(target, call)
                || CallSiteIl.IsAlike(target, call) || CallSiteIl.Waits(target))
            {
                return true;
            }

            if (EfCoreCalls.OnlyPrepares(target))
            {
                return false;
            }

            if (made.IsNew)
            {
                // No constructor of the core library waits on a monitor in code that is inlined into its caller.
                return !type.IsSubclassOf(typeof(Delegate)) && !IsTrivial(target)
                    && (call.Kind != WaitKind.MonitorWait || target.Module != typeof(object).Module)
                    && (own.IsUserCode(type.Assembly) || MayBeInlined(target, depth));
            }

            // Application methods are followed. A library's property only returns what it stores.
            var isOwn = own.IsUserCode(type.Assembly);
            if (target.IsSpecialName)
            {
                return isOwn && !target.IsAbstract && MayReach(target, 0, int.MaxValue, depth - 1);
            }

            if (type.IsSubclassOf(typeof(Delegate)))
            {
                return true;
            }

            if (target is MethodInfo { IsVirtual: true, IsFinal: false } open && !type.IsSealed)
            {
                return !isOwn || own.Overrides(open).ToList() is not { Count: > 0 } runs
                    || runs.Exists(run => MayReach(run, 0, int.MaxValue, depth - 1));
            }

            return isOwn
                ? MayReach(target, 0, int.MaxValue, depth - 1)
                : target.Module != typeof(object).Module && !OnlyCreates(target) && AssemblyReach.MayLead(target, call)
                    && MayBeInlined(target, depth);
        }

        // If the core library's wait is directly beneath the application's method, a library's method in between was inlined.
        bool MayBeInlined(MethodBase target, int depth) => call is not { Owner: FrameOwner.Core, Kind: not WaitKind.Other }
            || (InlinedCalls.MayVanish(target, InlinedCalls.WithProfile) && MayReach(target, 0, int.MaxValue, depth - 1));
    }

    // By convention: the method returns the new object. If it waits, its own name is on the stack.
    private static bool OnlyCreates(MethodBase target) =>
        target is MethodInfo { ReturnType: { IsValueType: false } type } && !type.IsAssignableTo(typeof(Task))
            && target.Name.StartsWith("Create", StringComparison.Ordinal) && !target.Name.EndsWith("IfNotExists", StringComparison.Ordinal);

    // Whether a constructor only fills in the object.
    private static bool IsTrivial(MethodBase constructor) =>
        MethodCode.Get(constructor) is { Instructions.Count: > 0 } code
            && code.Calls.All(c => c.Target is ConstructorInfo { DeclaringType: { } type } && type == typeof(object));
}
