using System.Reflection;

namespace AsyncProbe.Blocking.Methods;

/// <summary>
/// Knows which calls of EF Core may run a command. Optimised code often leaves only EF Core's internal methods on the stack.
/// </summary>
internal static class EfCoreCalls
{
    private const string Prefix = "Microsoft.EntityFrameworkCore";
    private const string Async = nameof(Async);

    /// <summary>
    /// Whether a call only prepares a command: it composes a query (<c>Include</c>, <c>AsNoTracking</c>), or marks entities to be saved
    /// later (<c>Add</c>, <c>Remove</c>).
    /// </summary>
    public static bool OnlyPrepares(MethodBase target) =>
        target is MethodInfo { ReturnType: var returned } && IsOfEfCore(target)
            && (returned.IsAssignableTo(typeof(IQueryable)) || IsEntry(returned)
                || (returned == typeof(void) && target.Name.EndsWith("Range", StringComparison.Ordinal)));

    /// <summary>
    /// Whether a call is an asynchronous one of EF Core, when the stack shows that EF Core runs a command asynchronously.
    /// </summary>
    public static bool RunsAsynchronously(MethodBase target, FrameInfo call) =>
        IsAsync(call.SourceName) && IsAsync(target.Name) && IsOfEfCore(target);

    /// <summary>Whether a call of EF Core saves nothing, but the stack shows that changes are saved, or the other way round.</summary>
    public static bool RunsAnotherCommand(MethodBase target, FrameInfo call) =>
        (IsOfEfCore(target) && !Saves(target.Name, target.DeclaringType) && Saves(call.SourceName, call.SourceType))
        || (Saves(target.Name, target.DeclaringType) && call.Method?.DeclaringType?.FullName == Prefix + ".Query.Internal.QueryCompiler");

    private static bool IsOfEfCore(MethodBase target) =>
        target.DeclaringType?.Namespace?.StartsWith(Prefix, StringComparison.Ordinal) == true;

    private static bool Saves(string method, Type? type) =>
        method.StartsWith("SaveChanges", StringComparison.Ordinal) && type?.FullName == Prefix + ".DbContext";

    // AddAsync returns a task of it.
    private static bool IsEntry(Type type) =>
        type is { Namespace: Prefix + ".ChangeTracking", Name: "EntityEntry" or "EntityEntry`1" }
            || (type.IsGenericType && type.GetGenericTypeDefinition() == typeof(ValueTask<>) && IsEntry(type.GenericTypeArguments[0]));

    private static bool IsAsync(string name) => name.EndsWith(Async, StringComparison.Ordinal);
}
