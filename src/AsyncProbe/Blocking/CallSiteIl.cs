using System.Buffers.Binary;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Reflection.Emit;

namespace AsyncProbe.Blocking;

/// <summary>
/// Looks at the instructions round a call. A <c>ValueTask</c> turned into a task leaves no trace on the stack of the wait: only the caller's
/// own code shows it. For readers, never for the thread that waited.
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
            return IsOnValueTask(method, ilOffset) ? WaitKind.ValueTask : kind;
        }
        catch (Exception e) when (e is ArgumentException or InvalidOperationException or NotSupportedException or BadImageFormatException or IOException)
        {
            return kind;
        }
    }

    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = "Without the code the kind stays what the stack says.")]
    private static bool IsOnValueTask(MethodBase method, int ilOffset)
    {
        if (method.GetMethodBody()?.GetILAsByteArray() is not { } code)
        {
            return false;
        }

        var typeArguments = method.DeclaringType is { IsGenericType: true } type ? type.GetGenericArguments() : null;
        var methodArguments = method.IsGenericMethod ? method.GetGenericArguments() : null;
        var end = Math.Min(code.Length - CallLength, ilOffset + LooksAhead);
        for (var i = Math.Max(0, ilOffset - CallLength); i <= end; i++)
        {
            if ((code[i] != OpCodes.Call.Value && code[i] != OpCodes.Callvirt.Value) || !IsMethodToken(code[i + 4]))
            {
                continue;
            }

            var token = BinaryPrimitives.ReadInt32LittleEndian(code.AsSpan(i + 1));
            switch (method.Module.ResolveMethod(token, typeArguments, methodArguments)?.DeclaringType?.Name)
            {
                case "ValueTask" or "ValueTask`1" or "ValueTaskAwaiter" or "ValueTaskAwaiter`1":
                    return true;
                case "Task" or "Task`1" or "TaskAwaiter" or "TaskAwaiter`1":
                    return false;
            }
        }

        return false;
    }

    // The tables of methods, of members of other assemblies and of generic methods.
    private static bool IsMethodToken(byte table) => table is 0x06 or 0x0A or 0x2B;
}
