using System.Data.Common;

namespace AsyncProbe.Blocking.Stacks;

/// <summary>
/// Determines a wait's kind from a method on the stack. Optimised code inlines the public method (<c>Task.Wait</c>, <c>get_Result</c>) into
/// its caller, so the rules also cover the methods beneath that stay on the stack.
/// </summary>
internal static class KindRules
{
    /// <summary><see cref="WaitKind.Other"/> when the method indicates no kind.</summary>
    public static WaitKind Find(Type type, string method)
    {
        var name = NameOf(type);
        method = Outermost(method);
        return name switch
        {
            "System.Threading.Monitor" => method is "Wait" or "ObjWait" ? WaitKind.MonitorWait : WaitKind.Lock,
            "System.Threading.Lock" or "System.Threading.ReaderWriterLockSlim" or "System.Threading.ReaderWriterLock" => WaitKind.Lock,
            // These only contend on the semaphore's internal lock.
            "System.Threading.SemaphoreSlim" => method is "WaitAsync" or "Release" ? WaitKind.Lock : WaitKind.SemaphoreSlim,
            "System.Threading.WaitHandle" or "System.Threading.ManualResetEventSlim" or "System.Threading.CountdownEvent"
                or "System.Threading.Barrier" or "System.Collections.Concurrent.BlockingCollection" => WaitKind.WaitHandle,
            "System.Threading.Thread" => OfThread(method),
            "System.Threading.Tasks.Task" => OfTask(method),
            "System.Threading.Tasks.Parallel" => WaitKind.TaskWait,
            "System.Diagnostics.Process" => method.StartsWith("WaitForExit", StringComparison.Ordinal) ? WaitKind.Process : WaitKind.Other,
            "System.Net.Http.HttpClient" or "System.Net.Http.HttpMessageInvoker" => method == "Send" ? WaitKind.SyncHttp : WaitKind.Other,
            "System.Net.HttpWebRequest" => method is "GetResponse" or "GetRequestStream" ? WaitKind.SyncHttp : WaitKind.Other,
            "System.Runtime.CompilerServices.InitHelpers" => WaitKind.Lock,
            "System.Runtime.CompilerServices.RuntimeHelpers" => method == "RunClassConstructor" ? WaitKind.Lock : WaitKind.Other,
            "System.IO.File" or "System.IO.RandomAccess" or "Microsoft.Win32.SafeHandles.SafeFileHandle" => WaitKind.SyncIO,
            _ => OfFamily(type, name, method),
        };
    }

    // "<Join>g____PInvoke|36_0" is Join. The core library's marshalling is a local function, and in optimised code it is the only frame
    // left on the stack.
    private static string Outermost(string method) =>
        method.StartsWith('<') && method.IndexOf('>', StringComparison.Ordinal) is > 1 and var end ? method[1..end] : method;

    private static WaitKind OfThread(string method) =>
        method.StartsWith("Join", StringComparison.Ordinal) ? WaitKind.Join
        : method.StartsWith("Sleep", StringComparison.Ordinal) ? WaitKind.Sleep
        : WaitKind.Other;

    private static WaitKind OfTask(string method) => method switch
    {
        "GetResultCore" or "get_Result" => WaitKind.TaskResult,
        _ when method.StartsWith("WaitA", StringComparison.Ordinal) => WaitKind.TaskWaitAll,
        "Wait" or "InternalWait" or "InternalWaitCore" or "SpinThenBlockingWait" => WaitKind.TaskWait,
        _ => WaitKind.Other,
    };

    private static WaitKind OfFamily(Type type, string name, string method)
    {
        if (name.StartsWith("Microsoft.EntityFrameworkCore.", StringComparison.Ordinal))
        {
            return WaitKind.EfCore;
        }

        if (name.StartsWith("System.Runtime.CompilerServices.", StringComparison.Ordinal)
            && name.Contains("Awaiter", StringComparison.Ordinal))
        {
            return method.Contains("OnCompleted", StringComparison.Ordinal) ? WaitKind.Other
                : name.Contains("ValueTask", StringComparison.Ordinal) ? WaitKind.ValueTask
                : WaitKind.TaskGetResult;
        }

        // The other methods of ValueTask don't wait for the task: a wait beneath them is a lock.
        if (name is "System.Threading.Tasks.ValueTask" && method is "get_Result" or "ThrowIfCompletedUnsuccessfully")
        {
            return WaitKind.ValueTask;
        }

        if (name.Contains("<ToBlockingEnumerable>", StringComparison.Ordinal))
        {
            return WaitKind.TaskWait;
        }

        if (IsData(type))
        {
            return WaitKind.SyncDb;
        }

        var isSynchronousIO = method is "Read" or "Write" or "Flush" or "CopyTo" or "ReadByte" or "WriteByte" or "Receive" or "Send"
            or "Connect" or "Accept";
        return isSynchronousIO && (typeof(Stream).IsAssignableFrom(type) || name == "System.Net.Sockets.Socket")
            ? WaitKind.SyncIO
            : WaitKind.Other;
    }

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
