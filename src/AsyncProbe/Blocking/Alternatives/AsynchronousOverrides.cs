using System.Data.Common;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Runtime.CompilerServices;
using AsyncProbe.Blocking.Code;

namespace AsyncProbe.Blocking.Alternatives;

/// <summary>
/// Checks whether an asynchronous method really is asynchronous in the type in use. Some base classes declare one that does the work before
/// it returns, or that blocks another pool thread, and a derived class may not override it.
/// </summary>
internal static class AsynchronousOverrides
{
    private const BindingFlags All = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance;

    // Equals MethodImplOptions.Async, which only .NET 10 and later have.
    private const MethodImplAttributes RuntimeAsync = (MethodImplAttributes)0x2000;

    private static readonly Type[] s_synchronous =
    [
        typeof(DbConnection), typeof(DbCommand), typeof(DbDataReader), typeof(DbTransaction), typeof(DbBatch), typeof(Stream),
        typeof(TextReader), typeof(TextWriter),
    ];

    private static readonly string[] s_finishedTasks = ["FromResult", "FromException", "FromCanceled", "get_CompletedTask"];

    // Maps a base class's public method to the protected method that it calls and that derived classes override.
    private static readonly Dictionary<string, string> s_cores = new(StringComparer.Ordinal)
    {
        ["ExecuteReaderAsync"] = "ExecuteDbDataReaderAsync",
        ["BeginTransactionAsync"] = "BeginDbTransactionAsync",
    };

    /// <summary>False if the type inherits a synchronous version, or overrides it with one that only returns a finished task.</summary>
    /// <param name="type">The type in use.</param>
    /// <param name="method">The asynchronous method's name.</param>
    [UnconditionalSuppressMessage("Trimming", "IL2070", Justification = "A trimmed method overrides nothing that runs.")]
    public static bool IsAsynchronous(Type type, string method)
    {
        if (Array.Find(s_synchronous, type.IsSubclassOf) is not { } root)
        {
            return true;
        }

        try
        {
            var core = typeof(DbConnection).Assembly == root.Assembly ? s_cores.GetValueOrDefault(method, method) : method;
            var candidates = type.GetMethods(All).Where(m => m.Name == core && m.IsVirtual).ToList();
            return candidates.Count == 0 || candidates.Exists(m => m.DeclaringType is { } by && by != root && !IsSynchronous(m, root));
        }
        catch (Exception)
        {
            // A type or an assembly is missing.
            return true;
        }
    }

    // A method that isn't a state machine and doesn't return another method's task has finished its work when it returns.
    private static bool IsSynchronous(MethodInfo method, Type root)
    {
        if (method.IsDefined(typeof(AsyncStateMachineAttribute), inherit: false)
            || (method.MethodImplementationFlags & RuntimeAsync) != 0)
        {
            return false;
        }

        var calls = MethodCode.Get(method).Calls.Where(c => !c.IsNew).ToList();
        return calls.Count > 0 && !calls.Exists(c => MayBePending(c, root));
    }

    private static bool MayBePending(MethodCode.Call call, Type root) =>
        call.Target is MethodInfo { ReturnType: var type } target && IsAwaitable(type)
            && !(target.DeclaringType == root && !call.IsVirtual)
            && !(IsTask(target.DeclaringType) && Array.IndexOf(s_finishedTasks, target.Name) >= 0);

    private static bool IsAwaitable(Type type) => IsTask(type) || type.Name == "ConfiguredTaskAwaitable";

    private static bool IsTask(Type? type) =>
        type is { Namespace: "System.Threading.Tasks", Name: "Task" or "Task`1" or "ValueTask" or "ValueTask`1" };
}
