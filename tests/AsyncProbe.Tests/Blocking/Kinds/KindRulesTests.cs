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
