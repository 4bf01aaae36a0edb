using System.Data.Common;
using System.Runtime.CompilerServices;
using AsyncProbe.Common;

namespace AsyncProbe.Blocking.Stacks;

/// <summary>Database providers whose asynchronous methods do their work before they return, on the calling thread.</summary>
internal static class SynchronousProviders
{
    /// <summary>It sleeps and tries again when another connection has locked the file.</summary>
    public const string Sqlite = "Microsoft.Data.Sqlite";

    private const string InMemory = "Microsoft.EntityFrameworkCore.InMemory";

    // As long as it sleeps; what it took longer than a whole number of these was reading and writing.
    private static Duration SqliteRetry => Duration.FromMilliseconds(150);

    private static Duration SqliteRetrySlack => Duration.FromMilliseconds(15);

    // Weak: a plugin's types must be able to go. Empty is none.
    private static readonly ConditionalWeakTable<Type, string> s_known = [];

    /// <summary>The provider that a type is part of, if it is synchronous inside; null otherwise.</summary>
    public static string? NameOf(Type type) => s_known.GetValue(type, static t => Find(t) ?? "") is { Length: > 0 } name ? name : null;

    /// <summary>
    /// Whether awaiting a method of a provider's type frees the thread: <c>OpenAsync</c> of its connection, for example. False if the type
    /// inherits the synchronous version of the base class, and for the providers that are synchronous throughout.
    /// </summary>
    public static bool IsAsynchronous(Type type, string method) =>
        !IsSynchronousThroughout(type) && AsynchronousOverrides.IsAsynchronous(type, method);

    /// <summary>Whether a command that was blocked for so long was busy trying a locked database again.</summary>
    public static bool IsRetry(string provider, Duration blocked)
    {
        var retries = (long)(blocked + SqliteRetrySlack).RatioTo(SqliteRetry);
        return provider == Sqlite && retries > 0 && blocked >= retries * (SqliteRetry - SqliteRetrySlack)
            && blocked <= retries * (SqliteRetry + SqliteRetrySlack);
    }

    private static bool IsSynchronousThroughout(Type type) =>
        type.Namespace is { } name && (IsIn(name, Sqlite) || IsIn(name, InMemory));

    private static string? Find(Type type)
    {
        var name = type.Namespace ?? "";
        return IsIn(name, Sqlite) ? Sqlite
            : IsIn(name, InMemory) ? "EF Core's in-memory database"
            : IsSynchronousInside(type) ? name
            : null;
    }

    // The framework's own, such as the reader of a DataTable, wait for nothing.
    private static bool IsSynchronousInside(Type type) =>
        Libraries.NameOf(type.Assembly) is not null
            && ((type.IsSubclassOf(typeof(DbCommand)) && !IsAsynchronous(type, "ExecuteReaderAsync"))
                || (type.IsSubclassOf(typeof(DbConnection)) && !IsAsynchronous(type, "OpenAsync"))
                || (type.IsSubclassOf(typeof(DbDataReader)) && !IsAsynchronous(type, "ReadAsync")));

    private static bool IsIn(string name, string root) =>
        name.StartsWith(root, StringComparison.Ordinal) && (name.Length == root.Length || name[root.Length] == '.');
}
