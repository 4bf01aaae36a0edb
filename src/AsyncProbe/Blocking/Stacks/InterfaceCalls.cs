using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Reflection.Emit;

namespace AsyncProbe.Blocking.Stacks;

/// <summary>Calls that name an interface's method, <c>IDisposable.Dispose</c> for example, where a stack shows the one that ran.</summary>
internal static class InterfaceCalls
{
    // Those with an instruction of their own.
    private const int ShortLocals = 4;

    /// <summary>Whether such a call may have run the method on the stack.</summary>
    /// <param name="caller">Whose code makes the call.</param>
    /// <param name="ilOffset">Where.</param>
    /// <param name="target">What it names.</param>
    /// <param name="call">The method on the stack.</param>
    public static bool MayRun(MethodBase caller, int ilOffset, MethodBase target, FrameInfo call) =>
        target.DeclaringType is { IsInterface: true } type && call.Method is { IsStatic: false, DeclaringType: { } shown } method
        && (method.Name == target.Name || method.Name.EndsWith("." + target.Name, StringComparison.Ordinal))
        && (type.IsGenericType || type.IsAssignableFrom(shown))
        && (ReceiverOf(caller, ilOffset) is not { IsInterface: false, IsGenericParameter: false } receiver
            || shown.IsGenericType || receiver.IsAssignableFrom(shown) || shown.IsAssignableFrom(receiver));

    // What is loaded right before a call without arguments is what it is called on.
    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = "Without the code nothing is known of the receiver.")]
    private static Type? ReceiverOf(MethodBase caller, int at)
    {
        if (caller.GetMethodBody() is not { } body || body.GetILAsByteArray() is not { } code || at < CallSiteIl.CallLength)
        {
            return null;
        }

        if (code[at - CallSiteIl.CallLength] == OpCodes.Ldfld.Value)
        {
            return CallSiteIl.ResolveField(caller, BitConverter.ToInt32(code, at - CallSiteIl.CallLength + 1))?.FieldType;
        }

        var local = code[at - 2] == OpCodes.Ldloc_S.Value ? code[at - 1] : code[at - 1] - OpCodes.Ldloc_0.Value;
        return code[at - 2] == OpCodes.Ldloc_S.Value || local is >= 0 and < ShortLocals
            ? body.LocalVariables.FirstOrDefault(l => l.LocalIndex == local)?.LocalType
            : null;
    }
}
