using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using AsyncProbe.Blocking.Methods;

namespace AsyncProbe.Blocking.Code;

/// <summary>
/// Lists the application's methods that a library may call: optimised code inlines them into the library's, and no stack shows them. It is
/// slow: never call it on the thread that waited.
/// </summary>
internal sealed class LibraryCallbacks(UserMethods own)
{
    private static readonly string[] s_serializers = ["System.Text.Json", "Newtonsoft.Json"];

    /// <summary>
    /// Overrides and implementations that a library's method calls, itself or through a method of its own assembly, and delegates that the
    /// application makes where it calls the library. Also constructors, if the method asks the container for an object, and getters, if the
    /// library is a serializer.
    /// </summary>
    public IEnumerable<MethodBase> Find(MethodBase library)
    {
        var assembly = library.Module.Assembly;
        var calls = CallsOf(library);
        return Overrides(calls)
            .Concat(PassedTo(assembly))
            .Concat(calls.Any(FrameRoles.IsOfContainer) ? own.Find(UserPart.Constructor) : [])
            .Concat(s_serializers.Contains(assembly.GetName().Name) ? Getters() : [])
            .Distinct();
    }

    private IEnumerable<MethodBase> Overrides(List<MethodBase> calls) =>
        OpenOnes(calls) is { Count: > 0 } open
            ? own.Types().Where(type => type is { IsInterface: false, ContainsGenericParameters: false })
                .SelectMany(type => open.SelectMany(target => RunBy(type, target)))
            : [];

    // The methods of delegates that are made in a method which also calls the library.
    private IEnumerable<MethodBase> PassedTo(Assembly library) =>
        own.Types(assembly => AssemblyReach.Refers(assembly, library)).SelectMany(UserMethods.MembersOf<MethodBase>)
            .Select(MethodCode.Get)
            .Where(caller => caller.Delegates.Count > 0 && caller.Calls.Any(call => call.Target.Module.Assembly == library))
            .SelectMany(caller => caller.Delegates).Select(made => made.Target)
            .Where(made => own.IsUserCode(made.Module.Assembly));

    private IEnumerable<MethodBase> Getters() =>
        own.Types().SelectMany(UserMethods.MembersOf<MethodInfo>)
            .Where(method => method is { IsSpecialName: true, IsAbstract: false }
                && method.Name.StartsWith("get_", StringComparison.Ordinal));

    // A library's base class may override the method, and call another one that the application overrides.
    private IEnumerable<MethodBase> RunBy(Type type, MethodInfo target) =>
        InPlaceOf(target, type) is not { } found ? []
        : own.IsUserCode(found.Module.Assembly) ? [found]
        : OpenOnes(CallsOf(found)).Select(next => InPlaceOf(next, type)).OfType<MethodBase>()
            .Where(run => own.IsUserCode(run.Module.Assembly));

    private List<MethodInfo> OpenOnes(IEnumerable<MethodBase> calls) =>
    [
        .. calls.OfType<MethodInfo>()
            .Where(target => target is { IsVirtual: true, IsFinal: false, IsSpecialName: false, DeclaringType: { } type }
                && type != typeof(object) && !own.IsUserCode(target.Module.Assembly))
            .Distinct(),
    ];

    // Those of the method, and those of the methods of its assembly that it calls.
    private static List<MethodBase> CallsOf(MethodBase library)
    {
        var calls = CallSiteIl.CallsButAwaits(library).Select(call => call.Target).ToList();
        var inner = calls.Where(target => target.Module == library.Module).SelectMany(next => CallSiteIl.CallsButAwaits(next));
        return [.. calls, .. inner.Select(call => call.Target)];
    }

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
                && Array.Find(known.GetMethods(), method => IsSame(method, target)) is { } method
                    ? UserMethods.In(heir, method, known)
                    : null;
        }

        return Ancestors(heir).Any(type => IsSame(type, declared))
            ? Ancestors(heir).TakeWhile(type => !IsSame(type, declared)).SelectMany(UserMethods.MembersOf<MethodInfo>)
                .FirstOrDefault(method => method.IsVirtual && method.Name == target.Name
                    && IsSame(method.GetBaseDefinition(), target.GetBaseDefinition()))
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
}
