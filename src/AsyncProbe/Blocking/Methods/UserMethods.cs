using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using Microsoft.AspNetCore.Http;

namespace AsyncProbe.Blocking.Methods;

/// <summary>
/// Lists the application's methods, to search for one that is on no stack. It is slow: never call it on the thread that waited.
/// </summary>
internal sealed class UserMethods(UserCode own)
{
    private const BindingFlags All =
        BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static | BindingFlags.DeclaredOnly;

    public bool IsUserCode(Assembly assembly) => own.Contains(assembly);

    /// <summary>
    /// The methods that may run in place of a virtual method: itself, unless it is abstract, and its overrides or implementations.
    /// </summary>
    public IEnumerable<MethodBase> Overrides(MethodInfo method)
    {
        if (!method.IsAbstract)
        {
            yield return method;
        }

        if (method.DeclaringType is not { } type || !IsUserCode(type.Assembly))
        {
            yield break;
        }

        foreach (var heir in Types()
            .Where(t => t is { IsInterface: false, ContainsGenericParameters: false } && t != type && type.IsAssignableFrom(t)))
        {
            if (In(heir, method, type) is { } one)
            {
                yield return one;
            }
        }
    }

    /// <summary>The application methods of one kind that the framework may have called.</summary>
    public IEnumerable<MethodBase> Find(UserPart part) => part switch
    {
        UserPart.Constructor => Types().SelectMany(MembersOf<ConstructorInfo>).Where(c => !c.IsStatic),
        UserPart.Disposal => Types().SelectMany(MembersOf<MethodInfo>).Where(m => !m.IsAbstract && IsDisposal(m.Name)),
        UserPart.ModelBinder => Types().SelectMany(MethodsOf).Where(m => m is { Name: "BindModelAsync", IsAbstract: false }),
        UserPart.ViewComponent =>
            Types().Where(IsViewComponent).SelectMany(MembersOf<MethodInfo>).Where(m => m.Name is "Invoke" or "InvokeAsync"),
        UserPart.HubMethod =>
            Types().Where(t => Inherits(t, "Microsoft.AspNetCore.SignalR.Hub")).SelectMany(MembersOf<MethodInfo>).Where(m => m.IsPublic),
        _ => PartsOfThePipeline(),
    };

    /// <summary>
    /// What the framework's pipeline calls besides the endpoint's method: the application's middleware and filters, and the constructors of
    /// its controllers and pages.
    /// </summary>
    private IEnumerable<MethodBase> PartsOfThePipeline() =>
        Types().SelectMany(MethodsOf)
            .Where(m => !m.IsAbstract && m.GetParameters() is [{ ParameterType: var first }, ..] && IsOfThePipeline(first))
            .Concat<MethodBase>(Types().Where(HasActions).SelectMany(MembersOf<ConstructorInfo>).Where(c => !c.IsStatic));

    // The name of an explicit implementation starts with the interface's name.
    private static bool IsDisposal(string name) =>
        name is "Dispose" or "DisposeAsync" || name.EndsWith(".Dispose", StringComparison.Ordinal)
            || name.EndsWith(".DisposeAsync", StringComparison.Ordinal);

    private static bool HasActions(Type type) =>
        type.Name.EndsWith("Controller", StringComparison.Ordinal) || Inherits(type, "Microsoft.AspNetCore.Mvc.ControllerBase")
            || Inherits(type, "Microsoft.AspNetCore.Mvc.RazorPages.PageModel");

    // Uses the framework's rules: by name or by base class.
    private static bool IsViewComponent(Type type) =>
        type.Name.EndsWith("ViewComponent", StringComparison.Ordinal) || Inherits(type, "Microsoft.AspNetCore.Mvc.ViewComponent");

    private static bool Inherits(Type type, string ancestor)
    {
        for (var parent = type.BaseType; parent is not null; parent = parent.BaseType)
        {
            if ((parent.IsGenericType ? parent.GetGenericTypeDefinition() : parent).FullName is { } name
                && (name == ancestor || name.StartsWith(ancestor + "`", StringComparison.Ordinal)))
            {
                return true;
            }
        }

        return false;
    }

    private static bool IsOfThePipeline(Type parameter) =>
        parameter == typeof(HttpContext) || parameter == typeof(EndpointFilterInvocationContext)
            || parameter.Namespace == "Microsoft.AspNetCore.Mvc.Filters";

    // Several heirs inherit one implementation, and reflection makes a method of its own for each of them.
    private static MethodInfo AsDeclared(MethodInfo method) =>
        method.ReflectedType == method.DeclaringType
            ? method
            : MethodBase.GetMethodFromHandle(method.MethodHandle, method.DeclaringType!.TypeHandle) as MethodInfo ?? method;

    [UnconditionalSuppressMessage("Trimming", "IL2067", Justification = "A trimmed method did not run.")]
    [UnconditionalSuppressMessage("Trimming", "IL2070", Justification = "A trimmed method did not run.")]
    public static MethodInfo? In(Type heir, MethodInfo method, Type type)
    {
        try
        {
            if (type.IsInterface)
            {
                var map = heir.GetInterfaceMap(type);
                var i = Array.FindIndex(map.InterfaceMethods, m => m == method);
                return i < 0 ? null : AsDeclared(map.TargetMethods[i]);
            }

            return heir.GetMethods(All).FirstOrDefault(m => m.IsVirtual && m.GetBaseDefinition() == method.GetBaseDefinition());
        }
        catch (Exception e) when (e is ArgumentException or NotSupportedException or TypeLoadException or IOException)
        {
            return null;
        }
    }

    [UnconditionalSuppressMessage("Trimming", "IL2075", Justification = "A trimmed method did not run.")]
    [UnconditionalSuppressMessage("Trimming", "IL2070", Justification = "A trimmed method did not run.")]
    private static IEnumerable<MethodInfo> MethodsOf(Type type)
    {
        try
        {
            return [.. type.GetMethods(All).Where(HasKnownParameters)];
        }
        catch (Exception e) when (e is TypeLoadException or IOException)
        {
            return [];
        }
    }

    [UnconditionalSuppressMessage("Trimming", "IL2070", Justification = "A trimmed method did not run.")]
    public static IEnumerable<TMember> MembersOf<TMember>(Type type)
        where TMember : MethodBase
    {
        try
        {
            return [.. type.GetMembers(All).OfType<TMember>()];
        }
        catch (Exception e) when (e is TypeLoadException or IOException)
        {
            return [];
        }
    }

    private static bool HasKnownParameters(MethodInfo method)
    {
        try
        {
            return method.GetParameters() is [{ ParameterType: not null }, ..];
        }
        catch (Exception e) when (e is TypeLoadException or IOException)
        {
            return false;
        }
    }

    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = "A trimmed method did not run.")]
    public IEnumerable<Type> Types(Func<Assembly, bool>? isSearched = null)
    {
        foreach (var assembly in AppDomain.CurrentDomain.GetAssemblies()
            .Where(a => !a.IsDynamic && !a.IsCollectible && IsUserCode(a) && isSearched?.Invoke(a) != false))
        {
            Type?[] types;
            try
            {
                types = assembly.GetTypes();
            }
            catch (ReflectionTypeLoadException e)
            {
                types = e.Types;
            }

            foreach (var type in types.OfType<Type>())
            {
                yield return type;
            }
        }
    }
}
