using System.Reflection;
using System.Reflection.Emit;

namespace AsyncProbe.Blocking.Code;

/// <summary>
/// Finds the call after a place that is reported too early. The JIT compiler records the places between statements where the evaluation
/// stack is empty. Optimised C# leaves a local on that stack (<c>var e = new AutoResetEvent(false); e.WaitOne();</c>), and a call is then
/// reported at the last statement that began with an empty stack.
/// </summary>
internal static class StackedCalls
{
    /// <summary>The first wanted call before the next statement that begins with an empty stack; null when there is none.</summary>
    /// <param name="method">The caller.</param>
    /// <param name="from">The reported place, where the stack is empty.</param>
    /// <param name="isWanted">Whether a call is the one to find.</param>
    /// <param name="begins">Whether a statement begins at an offset.</param>
    public static int? Find(MethodBase method, int from, Func<MethodBase, bool> isWanted, Func<int, bool> begins)
    {
        foreach (var (offset, depth, call) in Walk(method, from))
        {
            if (offset > from && depth == 0 && begins(offset))
            {
                return null;
            }

            if (call is not null && isWanted(call))
            {
                return offset;
            }
        }

        return null;
    }

    /// <summary>Whether the stack is empty somewhere between two places, so that a statement may have ended there.</summary>
    public static bool IsEmptyBetween(MethodBase method, int from, int to) =>
        Walk(method, from).TakeWhile(i => i.Offset < to).Any(i => i.Offset > from && i.Depth == 0);

    // Follows a straight line; an unconditional jump ends it.
    private static IEnumerable<(int Offset, int Depth, MethodBase? Call)> Walk(MethodBase method, int from)
    {
        var depth = 0;
        foreach (var instruction in MethodCode.Get(method).Instructions.SkipWhile(i => i.Offset < from))
        {
            if (instruction.EndsStraightLine)
            {
                yield break;
            }

            var call = instruction.IsCall ? Tokens.ResolveMethod(method, instruction.Operand) : null;
            yield return (instruction.Offset, depth, call);
            if (instruction.Code.FlowControl == FlowControl.Call && call is null)
            {
                yield break;
            }

            depth += call is null
                ? Pushed(instruction.Code.StackBehaviourPush) - Popped(instruction.Code.StackBehaviourPop)
                : ChangeBy(call, instruction.IsNew);
        }
    }

    private static int ChangeBy(MethodBase call, bool isNew)
    {
        var taken = call.GetParameters().Length + (call.IsStatic || isNew ? 0 : 1);
        var given = isNew || (call is MethodInfo method && method.ReturnType != typeof(void)) ? 1 : 0;
        return given - taken;
    }

    private static int Popped(StackBehaviour behaviour) => behaviour switch
    {
        StackBehaviour.Pop0 => 0,
        StackBehaviour.Pop1 or StackBehaviour.Popi or StackBehaviour.Popref => 1,
        StackBehaviour.Pop1_pop1 or StackBehaviour.Popi_pop1 or StackBehaviour.Popi_popi or StackBehaviour.Popi_popi8
            or StackBehaviour.Popi_popr4
            or StackBehaviour.Popi_popr8 or StackBehaviour.Popref_pop1 or StackBehaviour.Popref_popi => 2,
        _ => 3,
    };

    private static int Pushed(StackBehaviour behaviour) => behaviour switch
    {
        StackBehaviour.Push0 => 0,
        StackBehaviour.Push1_push1 => 2,
        _ => 1,
    };
}
