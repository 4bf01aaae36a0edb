using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.CompilerServices;

namespace AsyncProbe.Blocking.Code;

/// <summary>
/// A method's instructions, decoded once. All questions about a method's calls and handlers go through here. The first question about a
/// method is slow, so ask it from a reader or the watcher's thread.
/// </summary>
internal sealed class MethodCode
{
    // At this size the cache is cleared. A search through an app's constructors decodes thousands of methods that are never needed again.
    private const int MaxKept = 4_000;

    private static readonly MethodCode s_none = new([], [], []);

    // Weak, so that a plugin's methods can be unloaded.
    private static readonly ConditionalWeakTable<MethodBase, MethodCode> s_known = [];
    private static int s_kept;

    private readonly Lazy<IReadOnlyList<Call>> _calls;
    private readonly Lazy<IReadOnlyList<(int Offset, MethodBase Target)>> _delegates;

    private MethodCode(
        IReadOnlyList<Instruction> instructions, IReadOnlyList<ExceptionHandlingClause> handlers, IReadOnlyList<LocalVariableInfo> locals,
        MethodBase? method = null)
    {
        (Instructions, Handlers, Locals) = (instructions, handlers, locals);
        _calls = new Lazy<IReadOnlyList<Call>>(
            () => method is null ? [] : FindCalls(method, instructions), LazyThreadSafetyMode.PublicationOnly);
        _delegates = new Lazy<IReadOnlyList<(int Offset, MethodBase Target)>>(
            () => method is null ? [] : FindDelegates(method, instructions), LazyThreadSafetyMode.PublicationOnly);
    }

    public IReadOnlyList<Instruction> Instructions { get; }

    public IReadOnlyList<ExceptionHandlingClause> Handlers { get; }

    public IReadOnlyList<LocalVariableInfo> Locals { get; }

    /// <summary>The calls and constructions in code order, without those whose target is missing.</summary>
    public IReadOnlyList<Call> Calls => _calls.Value;

    /// <summary>The methods that it makes delegates of, in code order.</summary>
    public IReadOnlyList<(int Offset, MethodBase Target)> Delegates => _delegates.Value;

    /// <summary>Empty for a method that has no code, or whose code can't be read.</summary>
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
        // The runtime throws for a method that was generated at run time, and such a method has no type.
        if (method.DeclaringType is null)
        {
            return s_none;
        }

        try
        {
            return method.GetMethodBody() is { } body && body.GetILAsByteArray() is { } code
                ? new MethodCode([.. Instruction.Decode(code)], [.. body.ExceptionHandlingClauses], [.. body.LocalVariables], method)
                : s_none;
        }
        catch (Exception)
        {
            // The method is damaged, or an assembly with one of its types is missing.
            return s_none;
        }
    }

    private static List<(int Offset, MethodBase Target)> FindDelegates(MethodBase method, IReadOnlyList<Instruction> instructions)
    {
        List<(int Offset, MethodBase Target)> delegates = [];
        foreach (var instruction in instructions)
        {
            if (instruction.Code == OpCodes.Ldftn && Tokens.ResolveMethod(method, instruction.Operand) is { } target)
            {
                delegates.Add((instruction.Offset, target));
            }
        }

        return delegates;
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

    /// <param name="Offset">The offset of the instruction.</param>
    /// <param name="Target">The method that the call names.</param>
    /// <param name="IsNew">Whether it constructs an object.</param>
    internal readonly record struct Call(int Offset, MethodBase Target, bool IsNew)
    {
        /// <summary>Whether an override may run instead. A call of the base class's own version isn't virtual.</summary>
        public bool IsVirtual { get; init; }
    }
}
