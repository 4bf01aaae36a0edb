using System.Data.Common;
using System.Runtime.CompilerServices;
using AsyncProbe.Common;

namespace AsyncProbe.Blocking.Stacks;

/// <summary>Knows the database providers whose asynchronous methods do their work on the calling thread before they return.</summary>
internal static class SynchronousProviders
{
    /// <summary>Its commands sleep and retry while another connection has locked the file.</summary>
    public const string Sqlite = "Microsoft.Data.Sqlite";

    private const string InMemory = "Microsoft.EntityFrameworkCore.InMemory";

    // How long Sqlite sleeps before a retry. Time beyond a whole number of sleeps was spent reading and writing.
    private static Duration SqliteRetry => Duration.FromMilliseconds(150);

    private static Duration SqliteRetrySlack => Duration.FromMilliseconds(15);

    // Weak, so that a plugin's types can be unloaded. An empty string means that the type is not part of such a provider.
    private static readonly ConditionalWeakTable<Type, string> s_known = [];

    /// <summary>The provider that a type belongs to, if it is synchronous inside; null otherwise.</summary>
    public static string? NameOf(Type type) => s_known.GetValue(type, static t => Find(t) ?? "") is { Length: > 0 } name ? name : null;

    /// <summary>
    /// Whether awaiting a method of a provider's type frees the thread, for example <c>OpenAsync</c> of its connection. False if the type
    /// inherits the synchronous version of the base class, and for providers that are synchronous throughout.
    /// </summary>
    public static bool IsAsynchronous(Type type, string method) =>
        !IsSynchronousThroughout(type) && AsynchronousOverrides.IsAsynchronous(type, method);

    /// <summary>Whether a command's blocked time shows that it was retrying on a locked database.</summary>
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

    // The framework's own types, such as the reader of a DataTable, never wait.
    private static bool IsSynchronousInside(Type type) =>
        Libraries.NameOf(type.Assembly) is not null
            && ((type.IsSubclassOf(typeof(DbCommand)) && !IsAsynchronous(type, "ExecuteReaderAsync"))
                || (type.IsSubclassOf(typeof(DbConnection)) && !IsAsynchronous(type, "OpenAsync"))
                || (type.IsSubclassOf(typeof(DbDataReader)) && !IsAsynchronous(type, "ReadAsync")));

    private static bool IsIn(string name, string root) =>
        name.StartsWith(root, StringComparison.Ordinal) && (name.Length == root.Length || name[root.Length] == '.');
}
