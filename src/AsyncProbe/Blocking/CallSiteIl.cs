using System.Buffers.Binary;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Reflection.Emit;

namespace AsyncProbe.Blocking;

/// <summary>
/// Looks at the instructions round a call. A <c>ValueTask</c> turned into a task leaves no trace on the stack of the wait, and neither does
/// <c>Result</c> in optimised code: only the caller's own code shows them. For readers, never for the thread that waited.
/// </summary>
internal static class CallSiteIl
{
    private const int CallLength = 5;

    // The reported place is the call or, in optimised code, the beginning of its statement.
    private const int LooksAhead = 32;

    public static WaitKind Refine(WaitKind kind, MethodBase method, int ilOffset)
    {
        if (kind is not (WaitKind.TaskWait or WaitKind.TaskResult or WaitKind.TaskGetResult) || ilOffset < 0)
        {
            return kind;
        }

        try
        {
            return KindOfCall(method, ilOffset) ?? kind;
        }
        catch (Exception e) when (e is ArgumentException or InvalidOperationException or NotSupportedException or BadImageFormatException or IOException)
        {
            return kind;
        }
    }

    /// <summary>Where the method makes a call, when it makes just one such: the same method, or one that waits in the same way.</summary>
    public static int? Find(MethodBase method, FrameInfo call)
    {
        try
        {
            var same = Calls(method, 0, int.MaxValue).Where(c => IsSame(c.Target, call.Method)).ToList();
            var places = same.Count > 0 ? same : [.. Calls(method, 0, int.MaxValue).Where(c => IsOfKind(c.Target, call.Kind))];
            return places is [var only] ? only.Offset : null;
        }
        catch (Exception e) when (e is ArgumentException or InvalidOperationException or NotSupportedException or BadImageFormatException or IOException)
        {
            return null;
        }
    }

    private static bool IsSame(MethodBase one, MethodBase other) => one.MetadataToken == other.MetadataToken && one.Module == other.Module;

    private static bool IsOfKind(MethodBase target, WaitKind kind) =>
        kind != WaitKind.Other && target.DeclaringType is { } type && KindRules.Of(type, target.Name) == kind;

    private static WaitKind? KindOfCall(MethodBase method, int ilOffset)
    {
        foreach (var (_, target) in Calls(method, ilOffset - CallLength, ilOffset + LooksAhead))
        {
            switch (target.DeclaringType?.Name)
            {
                case "ValueTask" or "ValueTask`1" or "ValueTaskAwaiter" or "ValueTaskAwaiter`1":
                    return WaitKind.ValueTask;
                case "Task" or "Task`1" or "TaskAwaiter" or "TaskAwaiter`1":
                    // "Task.Delay(100)" comes before the call that waits for it.
                    if (KindRules.Of(target.DeclaringType, target.Name) is var kind and not WaitKind.Other)
                    {
                        return kind;
                    }

                    break;
            }
        }

        return null;
    }

    // Bytes that only look like a call name no method, or hardly ever the one that is looked for.
    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = "Without the code the kind stays what the stack says, and the line the method's.")]
    private static IEnumerable<(int Offset, MethodBase Target)> Calls(MethodBase method, int from, int to)
    {
        if (method.GetMethodBody()?.GetILAsByteArray() is not { } code)
        {
            yield break;
        }

        var typeArguments = method.DeclaringType is { IsGenericType: true } type ? type.GetGenericArguments() : null;
        var methodArguments = method.IsGenericMethod ? method.GetGenericArguments() : null;
        for (var i = Math.Max(0, from); i <= Math.Min(code.Length - CallLength, to); i++)
        {
            if ((code[i] == OpCodes.Call.Value || code[i] == OpCodes.Callvirt.Value) && IsMethodToken(code[i + 4])
                && Resolve(method.Module, BinaryPrimitives.ReadInt32LittleEndian(code.AsSpan(i + 1)), typeArguments, methodArguments) is { } target)
            {
                yield return (i, target);
            }
        }
    }

    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = "Without the code the kind stays what the stack says, and the line the method's.")]
    private static MethodBase? Resolve(Module module, int token, Type[]? typeArguments, Type[]? methodArguments)
    {
        try
        {
            return module.ResolveMethod(token, typeArguments, methodArguments);
        }
        catch (Exception e) when (e is ArgumentException or BadImageFormatException or TypeLoadException)
        {
            return null;
        }
    }

    // The tables of methods, of members of other assemblies and of generic methods.
    private static bool IsMethodToken(byte table) => table is 0x06 or 0x0A or 0x2B;
}
