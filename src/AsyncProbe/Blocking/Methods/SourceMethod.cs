using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Runtime.CompilerServices;
using AsyncProbe.Blocking.Kinds;

namespace AsyncProbe.Blocking.Methods;

/// <summary>
/// The method in the source that a compiled method comes from. The compiler moves the code of asynchronous methods and lambdas to types of
/// its own, and a stack shows only those. An iterator runs when it is enumerated, not where its method is called, so it stands for itself.
/// </summary>
internal static class SourceMethod
{
    /// <summary>The source method's name.</summary>
    public static string NameOf(MethodBase method)
    {
        // A lambda names its method itself: <BeginTransaction>b__12_0. A state machine's type names it: <SaveChangesAsync>d__63, or
        // <<Load>b__0>d for an asynchronous lambda.
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

    /// <summary>The method that the compiler moved the code of an asynchronous method or an iterator to; null for other methods.</summary>
    [UnconditionalSuppressMessage("Trimming", "IL2075", Justification = "A trimmed method did not run.")]
    public static MethodInfo? MovedTo<TAttribute>(MethodBase method)
        where TAttribute : StateMachineAttribute =>
        method.GetCustomAttribute<TAttribute>()?.StateMachineType.GetMethod(
            nameof(IAsyncStateMachine.MoveNext), BindingFlags.NonPublic | BindingFlags.Instance);

    private static bool IsCompilers(Type? type) =>
        type is { IsNested: true } && type.Name.StartsWith('<')
            && (type.Name.StartsWith("<>", StringComparison.Ordinal) || RunsWhereItIsCalled(type));

    // An asynchronous iterator can be disposed of.
    private static bool RunsWhereItIsCalled(Type type) =>
        type.IsAssignableTo(typeof(IAsyncStateMachine)) && !type.IsAssignableTo(typeof(IAsyncDisposable));
}
