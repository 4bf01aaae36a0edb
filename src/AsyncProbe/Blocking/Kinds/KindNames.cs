using AsyncProbe.Blocking.Sources;

namespace AsyncProbe.Blocking.Kinds;

/// <summary>
/// Determines a wait's kind from the names of a method and its type. Optimised code inlines the public method (<c>Task.Wait</c>,
/// <c>get_Result</c>) into its caller, so the rules also cover the methods beneath that stay on the stack.
/// </summary>
internal static class KindNames
{
    /// <summary><see cref="WaitKind.Other"/> when the method waits for nothing; null when the names don't decide.</summary>
    /// <param name="type">The type's full name, without the number of its type parameters unless it is nested.</param>
    /// <param name="method">The method's name.</param>
    public static WaitKind? Find(string type, string method)
    {
        method = Outermost(method);
        return type switch
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
            "System.Diagnostics.Process" or "System.Diagnostics.ProcessWaitState" =>
                method.StartsWith("WaitForExit", StringComparison.Ordinal) ? WaitKind.Process : WaitKind.Other,
            "System.Net.Http.HttpClient" or "System.Net.Http.HttpMessageInvoker" => method == "Send" ? WaitKind.SyncHttp : WaitKind.Other,
            "System.Net.HttpWebRequest" => method is "GetResponse" or "GetRequestStream" ? WaitKind.SyncHttp : WaitKind.Other,
            "System.Runtime.CompilerServices.InitHelpers" => WaitKind.Lock,
            "System.Runtime.CompilerServices.RuntimeHelpers" => method == "RunClassConstructor" ? WaitKind.Lock : WaitKind.Other,
            _ when IsFile(type) => WaitKind.SyncIO,
            "System.Net.Sockets.Socket" when IsSynchronousIO(method) => WaitKind.SyncIO,

            // In optimised code, nothing else is left of a read or write of the core library.
            "Interop+Sys" when method is "Read" or "Write" or "PRead" or "PWrite" or "PReadV" or "PWriteV" or "FSync" => WaitKind.SyncIO,
            "Interop+Kernel32" when method is "ReadFile" or "WriteFile" or "FlushFileBuffers" => WaitKind.SyncIO,
            _ => OfFamily(type, method),
        };
    }

    /// <summary>
    /// The method that a local function or lambda belongs to. The core library's marshalling is a local function, and in optimised code it
    /// is the only frame left on the stack: <c>&lt;Join&gt;g____PInvoke|36_0</c> is Join.
    /// </summary>
    public static string Outermost(string method)
    {
        while (method.StartsWith('<') && FrameName.MatchingEnd(method) is > 1 and var end)
        {
            method = method[1..end];
        }

        return method;
    }

    /// <summary>Whether a type of the core library only works with files.</summary>
    public static bool IsFile(string type) =>
        type is "System.IO.File" or "System.IO.FileSystem" or "System.IO.RandomAccess" or "System.IO.FileStream"
                or "Microsoft.Win32.SafeHandles.SafeFileHandle"
            || type.StartsWith("System.IO.Strategies.", StringComparison.Ordinal);

    /// <summary>Whether a stream's or socket's method is synchronous.</summary>
    public static bool IsSynchronousIO(string method) =>
        method is "Read" or "Write" or "Flush" or "CopyTo" or "ReadByte" or "WriteByte" or "Receive" or "Send" or "Connect" or "Accept";

    /// <summary>
    /// Whether a type of the core library initializes types that are used for the first time, and makes other threads wait for that.
    /// </summary>
    public static bool StartsTypes(string type) =>
        type is "System.Runtime.CompilerServices.InitHelpers" or "System.Runtime.CompilerServices.RuntimeHelpers";

    /// <summary>Whether a method of the core library runs the first part of an asynchronous method.</summary>
    public static bool StartsAsyncMethods(string type, string method) =>
        method == "Start" && type.StartsWith("System.Runtime.CompilerServices.Async", StringComparison.Ordinal);

    /// <summary>
    /// Whether a lock beneath a method of the core library is the library's own. Task.Delay takes the lock of the runtime's timer list, and
    /// the same line then waits for the task. The user can't hold that lock for less time. In hot code the list's methods are inlined into
    /// the methods that start, change and end a timer. Awaiting a semaphore also takes its internal lock for a moment.
    /// </summary>
    public static bool TakesOwnLock(string type, string method) =>
        type.StartsWith("System.Threading.TimerQueue", StringComparison.Ordinal)
        || type is "System.Threading.Timer" or "System.Threading.PeriodicTimer"
        || type.StartsWith("System.Threading.Tasks.Task+DelayPromise", StringComparison.Ordinal)
        || type.StartsWith("System.Threading.Tasks.Task+CancellationPromise", StringComparison.Ordinal)
        || (type == "System.Threading.Tasks.Task" && method == "Delay")
        || (type == "System.Threading.SemaphoreSlim" && method is "WaitAsync" or "Release")
        || (type == "System.Threading.CancellationTokenSource" && method is "InitializeWithTimer" or "CancelAfter" or "Dispose" or ".ctor");

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

    private static WaitKind? OfFamily(string type, string method)
    {
        if (type.StartsWith("Microsoft.EntityFrameworkCore.", StringComparison.Ordinal))
        {
            return WaitKind.EfCore;
        }

        if (type.StartsWith("System.Runtime.CompilerServices.", StringComparison.Ordinal)
            && type.Contains("Awaiter", StringComparison.Ordinal))
        {
            return method.Contains("OnCompleted", StringComparison.Ordinal) ? WaitKind.Other
                : type.Contains("ValueTask", StringComparison.Ordinal) ? WaitKind.ValueTask
                : WaitKind.TaskGetResult;
        }

        // The other methods of ValueTask don't wait for the task: a wait beneath them is a lock.
        if (type is "System.Threading.Tasks.ValueTask" && method is "get_Result" or "ThrowIfCompletedUnsuccessfully")
        {
            return WaitKind.ValueTask;
        }

        return type.Contains("<ToBlockingEnumerable>", StringComparison.Ordinal) ? WaitKind.TaskWait : null;
    }
}
