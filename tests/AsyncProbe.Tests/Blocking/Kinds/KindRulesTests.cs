using System.Collections.Concurrent;
using System.Data.Common;
using System.Net.Sockets;
using System.Runtime.CompilerServices;
using AsyncProbe.Blocking.Kinds;
using Microsoft.EntityFrameworkCore;

namespace AsyncProbe.Tests.Blocking.Kinds;

[Trait(Logic.Category, Logic.Name)]
public sealed class KindRulesTests
{
    public static TheoryData<Type, string, string> Methods() => new()
    {
        { typeof(Monitor), "Wait", "Monitor.Wait" },
        { typeof(Monitor), "ObjWait", "Monitor.Wait" },
        { typeof(Monitor), "Enter", "Lock" },
        { typeof(Monitor), "TryEnter", "Lock" },
        { typeof(Lock), "EnterScope", "Lock" },
        { typeof(ReaderWriterLockSlim), "TryEnterReadLock", "Lock" },
        { typeof(ReaderWriterLock), "AcquireReaderLock", "Lock" },
        { typeof(SemaphoreSlim), "Wait", "SemaphoreSlim" },
        { typeof(ManualResetEvent), "WaitOne", "(other)" },
        { typeof(WaitHandle), "WaitOne", "WaitHandle" },
        { typeof(ManualResetEventSlim), "Wait", "WaitHandle" },
        { typeof(CountdownEvent), "Wait", "WaitHandle" },
        { typeof(Barrier), "SignalAndWait", "WaitHandle" },
        { typeof(BlockingCollection<int>), "Take", "WaitHandle" },
        { typeof(Thread), "Join", "Join" },
        { typeof(Thread), "JoinInternal", "Join" },
        { typeof(Thread), "StartCallback", "(other)" },
        { typeof(Task), "Wait", "Task.Wait" },
        { typeof(Task), "InternalWait", "Task.Wait" },
        { typeof(Task), "InternalWaitCore", "Task.Wait" },
        { typeof(Task), "SpinThenBlockingWait", "Task.Wait" },
        { typeof(Task), "WaitAll", "Task.WaitAll/Any" },
        { typeof(Task), "WaitAllCore", "Task.WaitAll/Any" },
        { typeof(Task), "WaitAny", "Task.WaitAll/Any" },
        { typeof(Task), "ExecuteEntry", "(other)" },
        { typeof(Task<int>), "get_Result", "Task.Result" },
        { typeof(Task<int>), "GetResultCore", "Task.Result" },
        { typeof(Task<Environment.SpecialFolder>), "get_Result", "Task.Result" },
        { typeof(List<int>.Enumerator), "MoveNext", "(other)" },
        { typeof(Parallel), "ForWorker", "Task.Wait" },
        { typeof(RuntimeHelpers), "RunClassConstructor", "Lock" },
        { typeof(RuntimeHelpers), "GetHashCode", "(other)" },
        { typeof(File), "ReadAllText", "SyncIO" },
        { typeof(RandomAccess), "Read", "SyncIO" },
        { typeof(object).Assembly.GetType("Interop+Sys")!, "Read", "SyncIO" },
        { typeof(object).Assembly.GetType("Interop+Sys")!, "GetPid", "(other)" },
        { typeof(FileStream).Assembly.GetType("System.IO.Strategies.FileStreamHelpers")!, "FlushToDisk", "SyncIO" },
        { typeof(Microsoft.Win32.SafeHandles.SafeFileHandle), "Open", "SyncIO" },
        { typeof(TaskAwaiter), "GetResult", "Task.GetResult" },
        { typeof(TaskAwaiter<int>), "GetResult", "Task.GetResult" },
        { typeof(ConfiguredTaskAwaitable.ConfiguredTaskAwaiter), "GetResult", "Task.GetResult" },
        { typeof(ValueTaskAwaiter), "GetResult", "ValueTask" },
        { typeof(ConfiguredValueTaskAwaitable.ConfiguredValueTaskAwaiter), "GetResult", "ValueTask" },
        { typeof(LibraryAwaiter), "GetResult", "(other)" },
        { typeof(AsyncTaskMethodBuilder), "Start", "(other)" },
        { typeof(TaskAwaiter), "UnsafeOnCompleted", "(other)" },
        { typeof(ValueTaskAwaiter), "OnCompleted", "(other)" },
        { typeof(ValueTask), "AsTask", "(other)" },
        { typeof(ValueTask), "ThrowIfCompletedUnsuccessfully", "ValueTask" },
        { typeof(ValueTask<int>), "get_Result", "ValueTask" },
        { typeof(System.Diagnostics.Process), "WaitForExit", "Process" },
        { typeof(System.Diagnostics.Process), "WaitForExitCore", "Process" },
        { typeof(System.Diagnostics.Process), "Start", "(other)" },
        { typeof(HttpClient), "Send", "SyncHttp" },
        { typeof(HttpMessageInvoker), "Send", "SyncHttp" },
        { typeof(HttpClient), "SendAsync", "(other)" },
        { typeof(System.Net.HttpWebRequest), "GetResponse", "SyncHttp" },
        { typeof(System.Net.HttpWebRequest), "GetRequestStream", "SyncHttp" },
        { typeof(System.Net.HttpWebRequest), "Abort", "(other)" },
        { typeof(DbContext), "SaveChanges", "EfCore" },
        { typeof(DbCommand), "ExecuteReader", "SyncDb" },
        { typeof(Npgsql.NpgsqlCommand), "ExecuteScalar", "SyncDb" },
        { typeof(Npgsql.NpgsqlConnection), "Open", "SyncDb" },
        { typeof(DbDataReader), "Read", "SyncDb" },
        { typeof(DbTransaction), "Commit", "SyncDb" },
        { typeof(Stream), "Read", "SyncIO" },
        { typeof(FileStream), "Write", "SyncIO" },
        { typeof(MemoryStream), "Flush", "SyncIO" },
        { typeof(Stream), "CopyTo", "SyncIO" },
        { typeof(Stream), "ReadByte", "SyncIO" },
        { typeof(Stream), "WriteByte", "SyncIO" },
        { typeof(Stream), "ReadAsync", "(other)" },
        { typeof(Socket), "Receive", "SyncIO" },
        { typeof(Socket), "Send", "SyncIO" },
        { typeof(Socket), "Connect", "SyncIO" },
        { typeof(Socket), "Accept", "SyncIO" },
        { typeof(Socket), "Poll", "(other)" },
        { typeof(BinaryReader), "Read", "(other)" },
        { typeof(string), "Clone", "(other)" },
    };

    [Theory]
    [MemberData(nameof(Methods))]
    public void Method_HasTheKindThatAPersonWouldName(Type type, string method, string kind) =>
        KindRules.Find(type, method).Name().ShouldBe(kind);

    // In optimised code, nothing else is left of a read or a write.
    [Theory]
    [InlineData("Interop+Sys", "Read", "Write", "PRead", "PWrite", "PReadV", "PWriteV", "FSync")]
    [InlineData("Interop+Kernel32", "ReadFile", "WriteFile", "FlushFileBuffers")]
    public void OperatingSystemsCalls_AreSynchronousIO(string type, params string[] methods)
    {
        methods.ShouldAllBe(method => KindNames.Find(type, method) == WaitKind.SyncIO);
        KindNames.Find(type, "GetLastError").ShouldBeNull();
    }

    [Fact]
    public void SocketsMethods_AreSynchronousIO() =>
        new[] { "Read", "Write", "Flush", "CopyTo", "ReadByte", "WriteByte", "Receive", "Send", "Connect", "Accept" }
            .ShouldAllBe(method => KindNames.IsSynchronousIO(method));

    [Theory]
    [InlineData("System.Threading.TimerQueue", "UpdateTimer", true)]
    [InlineData("System.Threading.Timer", "Change", true)]
    [InlineData("System.Threading.PeriodicTimer", ".ctor", true)]
    [InlineData("System.Threading.Tasks.Task+DelayPromise", ".ctor", true)]
    [InlineData("System.Threading.Tasks.Task+CancellationPromise`1", ".ctor", true)]
    [InlineData("System.Threading.Tasks.Task", "Delay", true)]
    [InlineData("System.Threading.Tasks.Task", "Wait", false)]
    [InlineData("Shop.Orders", "Delay", false)]
    [InlineData("System.Threading.SemaphoreSlim", "WaitAsync", true)]
    [InlineData("System.Threading.SemaphoreSlim", "Release", true)]
    [InlineData("System.Threading.SemaphoreSlim", "Wait", false)]
    [InlineData("Shop.Orders", "Release", false)]
    [InlineData("System.Threading.CancellationTokenSource", "InitializeWithTimer", true)]
    [InlineData("System.Threading.CancellationTokenSource", "CancelAfter", true)]
    [InlineData("System.Threading.CancellationTokenSource", "Dispose", true)]
    [InlineData("System.Threading.CancellationTokenSource", ".ctor", true)]
    [InlineData("System.Threading.CancellationTokenSource", "Cancel", false)]
    public void OwnLocks_AreThoseThatAUserCannotHoldForLessTime(string type, string method, bool expected) =>
        KindNames.TakesOwnLock(type, method).ShouldBe(expected);

    [Theory]
    [InlineData("System.Runtime.CompilerServices.AsyncMethodBuilderCore", "Start", true)]
    [InlineData("System.Runtime.CompilerServices.AsyncMethodBuilderCore", "SetResult", false)]
    [InlineData("System.Threading.Thread", "Start", false)]
    public void AsyncMethods_AreStartedByTheirBuilder(string type, string method, bool expected) =>
        KindNames.StartsAsyncMethods(type, method).ShouldBe(expected);

    [Fact]
    public void Types_AreStartedByTheRuntimesHelpers()
    {
        KindNames.StartsTypes("System.Runtime.CompilerServices.InitHelpers").ShouldBeTrue();
        KindNames.StartsTypes("System.Runtime.CompilerServices.RuntimeHelpers").ShouldBeTrue();
        KindNames.StartsTypes("System.Runtime.CompilerServices.Unsafe").ShouldBeFalse();
    }

    [Fact]
    public void BlockingEnumerable_IsATaskWait_ThoughTheCompilerMadeItsType()
    {
        var iterator = Values().ToBlockingEnumerable().GetType();

        KindRules.Find(iterator, "MoveNext").ShouldBe(WaitKind.TaskWait);
    }

    [Fact]
    public void WideKinds_AreThoseThatNameWhatIsWaitedFor() =>
        Enum.GetValues<WaitKind>().Where(WaitKinds.IsWide).Select(k => k.Name())
            .ShouldBe(["Process", "SyncIO", "SyncHttp", "SyncDb", "EfCore"], ignoreOrder: true);

    private static async IAsyncEnumerable<int> Values()
    {
        await Task.Yield();
        yield return 1;
    }

    private static class LibraryAwaiter;
}
