using System.Reflection;

namespace AsyncProbe.Blocking.Stacks;

/// <summary>
/// The method in the source that a compiled method comes from. The compiler moves the code of asynchronous methods, iterators and lambdas
/// to types of its own, and a stack shows only those.
/// </summary>
internal static class SourceMethod
{
    /// <summary>The source method's name.</summary>
    public static string NameOf(MethodBase method)
    {
        // A lambda names its method itself: <BeginTransaction>b__12_0. A state machine's type names it: <SaveChangesAsync>d__63.
        var name = method.Name;
        for (var type = method.DeclaringType; !name.StartsWith('<') && IsCompilers(type); type = type!.DeclaringType)
        {
            name = type!.Name;
        }

        return KindNames.Outermost(name);
    }

    /// <summary>The type that declares it; null when there is none.</summary>
    public static Type? TypeOf(MethodBase? method)
    {
        var type = method?.DeclaringType;
        while (IsCompilers(type))
        {
            type = type!.DeclaringType;
        }

        return type;
    }

    private static bool IsCompilers(Type? type) => type is { IsNested: true } && type.Name.StartsWith('<');
}
