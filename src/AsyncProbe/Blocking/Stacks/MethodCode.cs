using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Runtime.CompilerServices;

namespace AsyncProbe.Blocking.Stacks;

/// <summary>
/// A method's instructions, decoded once. Everything that asks what a method calls, or which handlers it has, asks here. Slow the first
/// time: for readers and for the watcher's thread.
/// </summary>
internal sealed class MethodCode
{
    // A search through an app's constructors decodes thousands of methods that are never needed again.
    private const int MaxKept = 4_000;

    private static readonly MethodCode s_none = new([], [], []);

    // Weak: a plugin's methods must be able to go.
    private static readonly ConditionalWeakTable<MethodBase, MethodCode> s_known = [];
    private static int s_kept;

    private readonly Lazy<IReadOnlyList<Call>> _calls;

    private MethodCode(
        IReadOnlyList<Instruction> instructions, IReadOnlyList<ExceptionHandlingClause> handlers, IReadOnlyList<LocalVariableInfo> locals,
        MethodBase? method = null)
    {
        (Instructions, Handlers, Locals) = (instructions, handlers, locals);
        _calls = new Lazy<IReadOnlyList<Call>>(
            () => method is null ? [] : FindCalls(method, instructions), LazyThreadSafetyMode.PublicationOnly);
    }

    public IReadOnlyList<Instruction> Instructions { get; }

    public IReadOnlyList<ExceptionHandlingClause> Handlers { get; }

    public IReadOnlyList<LocalVariableInfo> Locals { get; }

    /// <summary>What it calls and constructs, in the order of its code. Calls of what is missing are left out.</summary>
    public IReadOnlyList<Call> Calls => _calls.Value;

    /// <summary>Empty for a method without code, or whose code can't be read.</summary>
    public static MethodCode Get(MethodBase method)
    {
        if (s_known.TryGetValue(method, out var known))
        {
            return known;
        }

        if (Interlocked.Increment(ref s_kept) > MaxKept)
        {
            Volatile.Write(ref s_kept, 0);
            s_known.Clear();
        }

        return s_known.GetValue(method, Decode);
    }

    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = "If the code is missing, the reported line stays.")]
    private static MethodCode Decode(MethodBase method)
    {
        try
        {
            return method.GetMethodBody() is { } body && body.GetILAsByteArray() is { } code
                ? new MethodCode([.. Instruction.Decode(code)], [.. body.ExceptionHandlingClauses], [.. body.LocalVariables], method)
                : s_none;
        }
        catch (Exception)
        {
            // Made at run time, damaged, or with the types of an assembly that is missing.
            return s_none;
        }
    }

    private static List<Call> FindCalls(MethodBase method, IReadOnlyList<Instruction> instructions)
    {
        List<Call> calls = [];
        foreach (var instruction in instructions)
        {
            if (instruction.IsCall && Tokens.ResolveMethod(method, instruction.Operand) is { } target)
            {
                calls.Add(new Call(instruction.Offset, target, instruction.IsNew) { IsVirtual = instruction.IsVirtualCall });
            }
        }

        return calls;
    }

    /// <param name="Offset">Of the instruction.</param>
    /// <param name="Target">The method that it names.</param>
    /// <param name="IsNew">Whether it constructs an object.</param>
    internal readonly record struct Call(int Offset, MethodBase Target, bool IsNew)
    {
        /// <summary>Whether an override may run in its place: a call of the base class's own version is none.</summary>
        public bool IsVirtual { get; init; }
    }
}
