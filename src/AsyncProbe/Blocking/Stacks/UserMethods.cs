using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using Microsoft.AspNetCore.Http;

namespace AsyncProbe.Blocking.Stacks;

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

    /// <summary>
    /// The application's overrides and implementations that a library's method may call, itself or through a method of its own assembly.
    /// Also constructors, if it asks the container for an object, and the bodies of parallel loops. Properties are left out.
    /// </summary>
    public IEnumerable<MethodBase> CalledBackBy(MethodBase library)
    {
        if (SourceMethod.TypeOf(library) == typeof(Parallel))
        {
            return PassedTo(library);
        }

        var calls = CallsOf(library);
        var open = OpenOnes(calls);
        var overrides = open.Count == 0
            ? []
            : Types().Where(type => type is { IsInterface: false, ContainsGenericParameters: false })
                .SelectMany(type => open.SelectMany(target => RunBy(type, target))).Distinct();
        return calls.Any(FrameRoles.IsOfContainer) ? overrides.Concat(Find(UserPart.Constructor)) : overrides;
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

    // The methods that the application makes delegates of where it calls the loops of Parallel. They are inlined into the loops.
    private IEnumerable<MethodBase> PassedTo(MethodBase library) =>
        Types(own => AssemblyReach.Refers(own, library.Module.Assembly)).SelectMany(MembersOf<MethodBase>)
            .Where(caller => MethodCode.Get(caller).Calls.Any(call => call.Target.DeclaringType == typeof(Parallel)))
            .SelectMany(caller => MethodCode.Get(caller).Delegates).Select(made => made.Target)
            .Where(made => IsUserCode(made.Module.Assembly))
            .Distinct();

    // A library's base class may override the method, and call another one that the application overrides.
    private IEnumerable<MethodBase> RunBy(Type type, MethodInfo target) =>
        InPlaceOf(target, type) is not { } found ? []
        : IsUserCode(found.Module.Assembly) ? [found]
        : OpenOnes(CallsOf(found)).Select(next => InPlaceOf(next, type)).OfType<MethodBase>().Where(run => IsUserCode(run.Module.Assembly));

    private List<MethodInfo> OpenOnes(IEnumerable<MethodBase> calls) =>
    [
        .. calls.OfType<MethodInfo>()
            .Where(target => target is { IsVirtual: true, IsFinal: false, IsSpecialName: false, DeclaringType: { } type }
                && type != typeof(object) && !IsUserCode(target.Module.Assembly))
            .Distinct(),
    ];

    // Those of the method, and those of the methods of its assembly that it calls.
    private static List<MethodBase> CallsOf(MethodBase library)
    {
        var calls = CallSiteIl.CallsButAwaits(library).Select(call => call.Target).ToList();
        var inner = calls.Where(target => target.Module == library.Module).SelectMany(own => CallSiteIl.CallsButAwaits(own));
        return [.. calls, .. inner.Select(call => call.Target)];
    }

    /// <summary>The application's middleware and filters, which the framework's pipeline calls besides the endpoint's method.</summary>
    private IEnumerable<MethodBase> PartsOfThePipeline() =>
        Types().SelectMany(MethodsOf)
            .Where(m => !m.IsAbstract && m.GetParameters() is [{ ParameterType: var first }, ..] && IsOfThePipeline(first));

    // The name of an explicit implementation starts with the interface's name.
    private static bool IsDisposal(string name) =>
        name is "Dispose" or "DisposeAsync" || name.EndsWith(".Dispose", StringComparison.Ordinal)
            || name.EndsWith(".DisposeAsync", StringComparison.Ordinal);

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

    // Finds the method that runs when the library's method is called on an object of the type. The library's method may belong to any
    // construction of a generic type.
    [UnconditionalSuppressMessage("Trimming", "IL2070", Justification = "A trimmed method did not run.")]
    [UnconditionalSuppressMessage("Trimming", "IL2075", Justification = "A trimmed method did not run.")]
    private static MethodInfo? InPlaceOf(MethodInfo target, Type heir)
    {
        var declared = target.DeclaringType!;
        if (declared.IsInterface)
        {
            return heir.GetInterfaces().FirstOrDefault(type => IsSame(type, declared)) is { } known
                && Array.Find(known.GetMethods(), method => IsSame(method, target)) is { } method ? In(heir, method, known) : null;
        }

        return Ancestors(heir).Any(type => IsSame(type, declared))
            ? Ancestors(heir).TakeWhile(type => !IsSame(type, declared)).SelectMany(MembersOf<MethodInfo>).FirstOrDefault(method =>
                method.IsVirtual && method.Name == target.Name && IsSame(method.GetBaseDefinition(), target.GetBaseDefinition()))
            : null;
    }

    private static IEnumerable<Type> Ancestors(Type type)
    {
        for (var next = type; next is not null; next = next.BaseType)
        {
            yield return next;
        }
    }

    private static bool IsSame(MemberInfo one, MemberInfo other) => one.Module == other.Module && one.MetadataToken == other.MetadataToken;

    [UnconditionalSuppressMessage("Trimming", "IL2067", Justification = "A trimmed method did not run.")]
    [UnconditionalSuppressMessage("Trimming", "IL2070", Justification = "A trimmed method did not run.")]
    private static MethodInfo? In(Type heir, MethodInfo method, Type type)
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
    private static IEnumerable<TMember> MembersOf<TMember>(Type type)
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
    private IEnumerable<Type> Types(Func<Assembly, bool>? isSearched = null)
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
