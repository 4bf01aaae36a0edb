using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Reflection.Emit;
using AsyncProbe.Blocking.Methods;

namespace AsyncProbe.Blocking.Code;

/// <summary>Resolves calls of interface methods, such as <c>IDisposable.Dispose</c>. A stack shows the method that ran instead.</summary>
internal static class InterfaceCalls
{
    // Locals 0 to 3 have load instructions of their own.
    private const int ShortLocals = 4;

    /// <summary>Whether an interface call may have run the method on the stack.</summary>
    /// <param name="caller">The method that makes the call.</param>
    /// <param name="ilOffset">The place of the call.</param>
    /// <param name="target">The method that the call names.</param>
    /// <param name="call">The method on the stack.</param>
    public static bool MayRun(MethodBase caller, int ilOffset, MethodBase target, FrameInfo call) =>
        (target.DeclaringType is { IsInterface: true } type && call.Method is { IsStatic: false, DeclaringType: { } shown } method
        && (method.Name == target.Name || method.Name.EndsWith("." + target.Name, StringComparison.Ordinal))
        && (type.IsGenericType || type.IsAssignableFrom(shown))
        && (ReceiverOf(caller, ilOffset) is not { IsInterface: false, IsGenericParameter: false } receiver
            || shown.IsGenericType || receiver.IsAssignableFrom(shown) || shown.IsAssignableFrom(receiver)))
        || (ImplementationOf(caller, ilOffset, target) is { } implementation && CallSiteIl.IsNamed(implementation, call));

    /// <summary>
    /// The method that an interface call runs; null unless the call is made on a variable or field whose type is a class. A <c>using</c>
    /// statement disposes through the interface.
    /// </summary>
    public static MethodBase? ImplementationOf(MethodBase caller, int ilOffset, MethodBase target) =>
        target.DeclaringType is { IsInterface: true } ? ImplementationIn(ReceiverOf(caller, ilOffset), target) : null;

    /// <summary>A class's implementation of an interface's method; null when it has none.</summary>
    [UnconditionalSuppressMessage("Trimming", "IL2072", Justification = "A trimmed method did not run.")]
    public static MethodBase? ImplementationIn(Type? receiver, MethodBase target)
    {
        if (receiver is not { IsInterface: false, IsGenericParameter: false } || !target.DeclaringType!.IsAssignableFrom(receiver))
        {
            return null;
        }

        try
        {
            var map = receiver.GetInterfaceMap(target.DeclaringType);
            var i = Array.FindIndex(map.InterfaceMethods, m => m.MetadataToken == target.MetadataToken);
            return i < 0 ? null : map.TargetMethods[i];
        }
        catch (Exception e) when (e is ArgumentException or NotSupportedException or TypeLoadException or IOException)
        {
            // The receiver is an array, or a type of a missing assembly.
            return null;
        }
    }

    // The instruction before a call without arguments loads its receiver.
    private static Type? ReceiverOf(MethodBase caller, int at)
    {
        var code = MethodCode.Get(caller);
        var load = code.Instructions.LastOrDefault(i => i.Offset < at);
        if (load.Code == OpCodes.Ldfld)
        {
            return Tokens.ResolveField(caller, load.Operand)?.FieldType;
        }

        var local = load.Code == OpCodes.Ldloc_S || load.Code == OpCodes.Ldloc ? load.Operand : load.Code.Value - OpCodes.Ldloc_0.Value;
        var isLocal = load.Code == OpCodes.Ldloc_S || load.Code == OpCodes.Ldloc || local is >= 0 and < ShortLocals;
        return isLocal ? code.Locals.FirstOrDefault(l => l.LocalIndex == local)?.LocalType : null;
    }
}
