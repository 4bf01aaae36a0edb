using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;

namespace AsyncProbe.Requests.Operations;

/// <summary>Finds the method that an operation runs, from the tags that its source set. SignalR sets the hub and its method.</summary>
internal static class OperationHandler
{
    private const BindingFlags PublicMethods = BindingFlags.Public | BindingFlags.Instance;

    /// <summary>Null if the tags name no method, or several.</summary>
    public static MethodInfo? Find(Activity activity)
    {
        var (service, method) = (activity.GetTagItem("rpc.service") as string, activity.GetTagItem("rpc.method") as string);
        if (string.IsNullOrEmpty(service) || string.IsNullOrEmpty(method))
        {
            return null;
        }

        try
        {
            return Find(service, method);
        }
        catch (Exception e) when (e is ArgumentException or IOException or BadImageFormatException or TypeLoadException)
        {
            // The tag can contain any text, and an assembly may lack something it was built with.
            return null;
        }
    }

    /// <summary>The reason of an <see cref="AllowBlockingAttribute"/> on the method or its class; null if there is none.</summary>
    public static string? ReasonOf(MethodInfo? handler) =>
        (handler?.GetCustomAttribute<AllowBlockingAttribute>()
            ?? handler?.DeclaringType?.GetCustomAttribute<AllowBlockingAttribute>())?.Reason;

    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = "A trimmed method did not run.")]
    private static MethodInfo? Find(string service, string method)
    {
        var found = AppDomain.CurrentDomain.GetAssemblies()
            .Where(assembly => !assembly.IsDynamic)
            .Select(assembly => assembly.GetType(service, throwOnError: false))
            .OfType<Type>()
            .SelectMany(MethodsOf)
            .Where(candidate => candidate.Name.Equals(method, StringComparison.OrdinalIgnoreCase) || IsRenamed(candidate, method))
            .ToList();
        return found is [var only] ? only : null;
    }

    [UnconditionalSuppressMessage("Trimming", "IL2070", Justification = "A trimmed method did not run.")]
    private static MethodInfo[] MethodsOf(Type type) => type.GetMethods(PublicMethods);

    // Checks HubMethodNameAttribute by name, so that an app without SignalR never loads it.
    private static bool IsRenamed(MethodInfo candidate, string method) =>
        candidate.GetCustomAttributesData().Any(attribute => attribute.AttributeType.Name == "HubMethodNameAttribute"
            && attribute.ConstructorArguments is [{ Value: string name }] && name.Equals(method, StringComparison.OrdinalIgnoreCase));
}
