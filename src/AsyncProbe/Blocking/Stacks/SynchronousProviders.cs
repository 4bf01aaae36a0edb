using System.Data;
using System.Data.Common;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;
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

    /// <summary>Whether a command that was blocked for so long was busy trying a locked database again.</summary>
    public static bool IsRetry(string provider, Duration blocked)
    {
        var retries = (long)(blocked + SqliteRetrySlack).RatioTo(SqliteRetry);
        return provider == Sqlite && retries > 0 && blocked >= retries * (SqliteRetry - SqliteRetrySlack)
            && blocked <= retries * (SqliteRetry + SqliteRetrySlack);
    }

    private static string? Find(Type type)
    {
        var name = type.Namespace ?? "";
        return IsIn(name, Sqlite) ? Sqlite
            : IsIn(name, InMemory) ? "EF Core's in-memory database"
            : typeof(DbCommand).IsAssignableFrom(type) && type != typeof(DbCommand) && !HasOwnAsync(type) ? name
            : null;
    }

    private static bool IsIn(string name, string root) =>
        name.StartsWith(root, StringComparison.Ordinal) && (name.Length == root.Length || name[root.Length] == '.');

    // DbCommand's own version executes synchronously and returns a finished task.
    [UnconditionalSuppressMessage("Trimming", "IL2070", Justification = "A method that was trimmed away overrides nothing that runs.")]
    private static bool HasOwnAsync(Type type)
    {
        try
        {
            return type.GetMethod(
                "ExecuteDbDataReaderAsync",
                BindingFlags.Instance | BindingFlags.NonPublic | BindingFlags.Public,
                [typeof(CommandBehavior), typeof(CancellationToken)])?.DeclaringType != typeof(DbCommand);
        }
        catch (Exception e) when (e is TypeLoadException or IOException or AmbiguousMatchException or NotSupportedException)
        {
            return true;
        }
    }
}
