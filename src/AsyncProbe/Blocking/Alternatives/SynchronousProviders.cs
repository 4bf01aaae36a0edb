using System.Data.Common;
using System.Runtime.CompilerServices;
using AsyncProbe.Blocking.Kinds;
using AsyncProbe.Blocking.Methods;
using AsyncProbe.Common;
using AsyncProbe.Rules;

namespace AsyncProbe.Blocking.Alternatives;

/// <summary>Knows the providers whose asynchronous methods make a thread wait.</summary>
internal static class SynchronousProviders
{
    private const string SqliteName = "Microsoft.Data.Sqlite";
    private const string InMemory = "Microsoft.EntityFrameworkCore.InMemory";

    // Weak, so that a plugin's types can be unloaded.
    private static readonly ConditionalWeakTable<Type, SynchronousProvider?> s_known = [];

    /// <summary>Its commands sleep and retry while another connection has locked the file.</summary>
    public static SynchronousProvider Sqlite { get; } = SynchronousProvider.Database(SqliteName);

    // How long Sqlite sleeps before a retry. Time beyond a whole number of sleeps was spent reading and writing.
    private static Duration SqliteRetry => Duration.FromMilliseconds(150);

    private static Duration SqliteRetrySlack => Duration.FromMilliseconds(15);

    /// <summary>The database provider that a type belongs to, if it is synchronous inside; null otherwise.</summary>
    public static SynchronousProvider? Find(Type type) => s_known.GetValue(type, Search);

    /// <summary>The provider in which a stack waits, if it is synchronous inside; null otherwise.</summary>
    /// <param name="kind">The kind of the wait.</param>
    /// <param name="stack">The stack, from the wait to its callers.</param>
    public static SynchronousProvider? Find(WaitKind kind, IEnumerable<FrameInfo> stack)
    {
        var isInCore = true;
        foreach (var frame in stack)
        {
            isInCore &= frame.Owner is FrameOwner.Core or FrameOwner.Hook;
            if (frame.Method?.DeclaringType is { } type
                && (Find(type) ?? (isInCore && kind == WaitKind.SyncIO && IsFile(type) ? SynchronousProvider.Files : null)) is { } found)
            {
                return found;
            }
        }

        return null;
    }

    /// <summary>
    /// Whether awaiting a method of a provider's type frees the thread, for example <c>OpenAsync</c> of its connection. False if the type
    /// inherits the synchronous version of the base class, and for providers that are synchronous throughout.
    /// </summary>
    public static bool IsAsynchronous(Type type, string method) =>
        !IsSynchronousThroughout(type) && AsynchronousOverrides.IsAsynchronous(type, method);

    /// <summary>Whether a command's blocked time shows that it was retrying on a locked database.</summary>
    public static bool IsRetry(SynchronousProvider provider, Duration blocked)
    {
        var retries = (long)(blocked + SqliteRetrySlack).RatioTo(SqliteRetry);
        return provider == Sqlite && retries > 0 && blocked >= retries * (SqliteRetry - SqliteRetrySlack)
            && blocked <= retries * (SqliteRetry + SqliteRetrySlack);
    }

    private static bool IsSynchronousThroughout(Type type) =>
        type.Namespace is { } name && (IsIn(name, SqliteName) || IsIn(name, InMemory));

    // Windows has asynchronous file I/O. Optimised code leaves only the call of the operating system.
    private static bool IsFile(Type type) =>
        !OperatingSystem.IsWindows() && type.FullName is { } name && (name == "Interop+Sys" || KindNames.IsFile(name));

    // A provider is named after its namespace, so one without a namespace is left out.
    private static SynchronousProvider? Search(Type type) =>
        type.Namespace is not { } name ? null
            : IsIn(name, SqliteName) ? Sqlite
            : IsIn(name, InMemory) ? SynchronousProvider.Database("EF Core's in-memory database")
            : IsSynchronousInside(type) ? SynchronousProvider.Database(name)
            : null;

    // The framework's own types, such as the reader of a DataTable, never wait.
    private static bool IsSynchronousInside(Type type) =>
        Libraries.NameOf(type.Assembly) is not null
            && ((type.IsSubclassOf(typeof(DbCommand)) && !IsAsynchronous(type, "ExecuteReaderAsync"))
                || (type.IsSubclassOf(typeof(DbConnection)) && !IsAsynchronous(type, "OpenAsync"))
                || (type.IsSubclassOf(typeof(DbDataReader)) && !IsAsynchronous(type, "ReadAsync")));

    private static bool IsIn(string name, string root) =>
        name.StartsWith(root, StringComparison.Ordinal) && (name.Length == root.Length || name[root.Length] == '.');
}
