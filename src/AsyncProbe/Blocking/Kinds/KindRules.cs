using System.Data.Common;

namespace AsyncProbe.Blocking.Kinds;

/// <summary>Determines a wait's kind from a method on the stack: by its names, or by the types that its type derives from.</summary>
internal static class KindRules
{
    /// <summary><see cref="WaitKind.Other"/> when the method indicates no kind.</summary>
    public static WaitKind Find(Type type, string method) =>
        KindNames.Find(NameOf(type), method)
        ?? (IsData(type) ? WaitKind.SyncDb
            : typeof(Stream).IsAssignableFrom(type) && KindNames.IsSynchronousIO(KindNames.Outermost(method)) ? WaitKind.SyncIO
            : WaitKind.Other);

    private static bool IsData(Type type) =>
        typeof(DbCommand).IsAssignableFrom(type) || typeof(DbConnection).IsAssignableFrom(type)
        || typeof(DbDataReader).IsAssignableFrom(type) || typeof(DbTransaction).IsAssignableFrom(type);

    // Task and Task<T> get the same name. A type nested in a generic type gets one name for all type arguments.
    private static string NameOf(Type type)
    {
        var name = (type.IsGenericType ? type.GetGenericTypeDefinition() : type).FullName ?? type.Name;
        var arity = name.IndexOf('`', StringComparison.Ordinal);
        return arity < 0 || name.Contains('+', StringComparison.Ordinal) ? name : name[..arity];
    }
}
