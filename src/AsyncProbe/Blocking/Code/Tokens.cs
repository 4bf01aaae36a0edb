using System.Diagnostics.CodeAnalysis;
using System.Reflection;

namespace AsyncProbe.Blocking.Code;

/// <summary>Resolves the metadata tokens in a method's code.</summary>
internal static class Tokens
{
    /// <summary>Null when the method is missing.</summary>
    [UnconditionalSuppressMessage("Trimming", "IL2026",
        Justification = "Without the code the kind stays what the stack says, and the line the method's.")]
    public static MethodBase? ResolveMethod(MethodBase user, int token) =>
        Resolve(user, (t, m) => user.Module.ResolveMethod(token, t, m));

    /// <summary>Null when the field is missing.</summary>
    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = "Without the code nothing is known of the field.")]
    public static FieldInfo? ResolveField(MethodBase user, int token) => Resolve(user, (t, m) => user.Module.ResolveField(token, t, m));

    private static T? Resolve<T>(MethodBase user, Func<Type[]?, Type[]?, T?> resolve)
        where T : class
    {
        try
        {
            return resolve(
                user.DeclaringType is { IsGenericType: true } type ? type.GetGenericArguments() : null,
                user.IsGenericMethod ? user.GetGenericArguments() : null);
        }
        catch (Exception)
        {
            // The token is of another kind, or belongs to a missing type or assembly.
            return null;
        }
    }
}
