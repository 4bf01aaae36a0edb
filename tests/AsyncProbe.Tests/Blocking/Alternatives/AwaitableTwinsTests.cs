using System.Data.Common;
using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using System.Reflection;
using System.Reflection.Emit;
using AsyncProbe.Blocking.Alternatives;
using AsyncProbe.Blocking.Kinds;
using AsyncProbe.Blocking.Stacks;
using AsyncProbe.Tests.Blocking.Stacks;
using Microsoft.EntityFrameworkCore;

namespace AsyncProbe.Tests.Blocking.Alternatives;

[Trait(Logic.Category, Logic.Name)]
public sealed class AwaitableTwinsTests
{
    private const BindingFlags All = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static;

    [Theory]
    [InlineData(typeof(DbCommand), "ExecuteReader", "ExecuteReaderAsync")]
    [InlineData(typeof(DbConnection), "Open", "OpenAsync")]
    [InlineData(typeof(DbDataReader), "Read", "ReadAsync")]
    [InlineData(typeof(Npgsql.NpgsqlCommand), "ExecuteScalar", "ExecuteScalarAsync")]
    [InlineData(typeof(Npgsql.NpgsqlConnection), "Open", "OpenAsync")]
    [InlineData(typeof(Stream), "Read", "ReadAsync")]
    [InlineData(typeof(FileStream), "CopyTo", "CopyToAsync")]
    [InlineData(typeof(StreamReader), "ReadToEnd", "ReadToEndAsync")]
    [InlineData(typeof(File), "ReadAllText", "ReadAllTextAsync")]
    [InlineData(typeof(Process), "WaitForExit", "WaitForExitAsync")]
    [InlineData(typeof(HttpClient), "Send", "SendAsync")]
    [InlineData(typeof(Dns), "GetHostEntry", "GetHostEntryAsync")]
    [InlineData(typeof(SemaphoreSlim), "Wait", "WaitAsync")]
    [InlineData(typeof(NetworkStream), "ReadByte", "ReadAsync")]
    [InlineData(typeof(Stream), "WriteByte", "WriteAsync")]
    [InlineData(typeof(Thread), "Sleep", "Task.Delay")]
    [InlineData(typeof(Task), "WaitAll", "Task.WhenAll")]
    [InlineData(typeof(Task), "WaitAny", "Task.WhenAny")]
    [InlineData(typeof(DbContext), "SaveChanges", "SaveChangesAsync")]
    [InlineData(typeof(Heir), "Fetch", "FetchAsync")]
    [InlineData(typeof(Parent), "Save", "SaveAsync")]
    [InlineData(typeof(Parent), "List", "ListAsync")]
    [InlineData(typeof(Generic<int>), "Fetch", "FetchAsync")]
    public void Twin_IsFound(Type type, string method, string twin) =>
        AwaitableTwins.Find(Method(type, method), WaitKind.SyncDb).ShouldBe(twin);

    [Theory]
    [InlineData(typeof(Monitor), "Enter")]
    [InlineData(typeof(ManualResetEventSlim), "Wait")]
    [InlineData(typeof(File), "Copy")]
    [InlineData(typeof(Stream), "ReadAsync")]
    [InlineData(typeof(Parent), "Fire")]
    [InlineData(typeof(Parent), "Hide")]
    [InlineData(typeof(Parent), "Tell")]
    [InlineData(typeof(Enumerable), "ToList")]
    [InlineData(typeof(Microsoft.Data.Sqlite.SqliteCommand), "ExecuteScalar")]
    [InlineData(typeof(SynchronousConnection), "Open")]
    [InlineData(typeof(SynchronousConnection), "Close")]
    public void NoTwin_IsMadeUp(Type type, string method) => AwaitableTwins.Find(Method(type, method), WaitKind.SyncDb).ShouldBeNull();

    [Fact]
    public void NoTwin_IsMadeUp_ForATypeThatWasMadeAtRunTime()
    {
        var type = AssemblyBuilder.DefineDynamicAssembly(new AssemblyName("Made"), AssemblyBuilderAccess.RunAndCollect)
            .DefineDynamicModule("Made").DefineType("Made");
        type.DefineMethod("Fetch", MethodAttributes.Public | MethodAttributes.Static).GetILGenerator().Emit(OpCodes.Ret);

        AwaitableTwins.Find(Method(type.CreateType(), "Fetch"), WaitKind.TaskWait).ShouldBeNull();
    }

    // The caller's code names DbConnection.Open; the stack shows the provider's, whose OpenAsync is the base class's synchronous one.
    [Theory]
    [InlineData(typeof(SynchronousConnection), null)]
    [InlineData(typeof(Npgsql.NpgsqlConnection), "OpenAsync")]
    public void Twin_CountsOnly_WhenTheTypeInUseOverridesIt(Type inUse, string? expected) =>
        AwaitableTwins.Find(Method(typeof(DbConnection), "Open"), WaitKind.SyncDb, inUse).ShouldBe(expected);

    [Theory]
    [InlineData(typeof(SynchronousConnection), "OpenAsync", false)]
    [InlineData(typeof(SynchronousConnection), "CloseAsync", false)]
    [InlineData(typeof(Npgsql.NpgsqlConnection), "OpenAsync", true)]
    [InlineData(typeof(Npgsql.NpgsqlCommand), "ExecuteReaderAsync", true)]
    [InlineData(typeof(Npgsql.NpgsqlDataReader), "ReadAsync", true)]
    [InlineData(typeof(Npgsql.NpgsqlTransaction), "CommitAsync", true)]
    [InlineData(typeof(Microsoft.Data.Sqlite.SqliteConnection), "OpenAsync", false)]
    [InlineData(typeof(FileStream), "ReadAsync", true)]
    [InlineData(typeof(FileStream), "CopyToAsync", true)]
    [InlineData(typeof(StreamReader), "ReadToEndAsync", true)]
    public void Provider_IsAsynchronous_WhenItsOwnMethodMayReturnBeforeTheWorkIsDone(Type type, string method, bool expected) =>
        SynchronousProviders.IsAsynchronous(type, method).ShouldBe(expected);

    [Theory]
    [InlineData(typeof(Enumerable), "ToList", "ToListAsync")]
    [InlineData(typeof(Queryable), "First", "FirstAsync")]
    [InlineData(typeof(Queryable), "Count", "CountAsync")]
    [InlineData(typeof(Queryable), "Where", null)]
    public void Query_HasTheTwinsOfEfCore(Type type, string method, string? twin)
    {
        // Load it first: the lookup itself must not load it.
        _ = typeof(EntityFrameworkQueryableExtensions);

        AwaitableTwins.Find(Method(type, method), WaitKind.EfCore).ShouldBe(twin);
    }

    // A handler was inlined into its caller in the framework, and its ToList got the advice ExecuteReaderAsync, which it never calls.
    [Theory]
    [InlineData(nameof(ListsAll), "ToListAsync")]
    [InlineData(nameof(CountsAndLists), null)]
    public void Query_IsWhatIsAwaited_AndNotTheCommandBeneath(string name, string? expected)
    {
        var frames = HandMadeStacks.Frames;
        var command = frames.Get(Method(typeof(Microsoft.EntityFrameworkCore.Storage.RelationalCommand), "ExecuteReader"));

        new SiteFrame(frames.Get(Method(typeof(AwaitableTwinsTests), name)), SiteFrame.Unknown, command, frames)
            .FindAwaitable(WaitKind.EfCore, command).ShouldBe(expected);
    }

    private static List<string> ListsAll(IQueryable<string> rows) => rows.ToList();

    private static int CountsAndLists(IQueryable<string> rows)
    {
        var count = rows.Count();
        return count + rows.ToList().Count;
    }

    private static MethodInfo Method(Type type, string name) => type.GetMethods(All).First(m => m.Name == name);

    private class Parent
    {
        public static void Fetch()
        {
        }

        public static ValueTask<int> FetchAsync() => new(1);

        public static void Save()
        {
        }

        public static ValueTask SaveAsync() => default;

        public static int[] List() => [];

        public static IAsyncEnumerable<int> ListAsync() => throw new NotSupportedException();

        public static void Tell()
        {
        }

        public static Uri TellAsync() => throw new NotSupportedException();

        public static void Fire()
        {
        }

        public static void FireAsync()
        {
        }

        public static void Hide()
        {
        }

        private static Task HideAsync() => Task.CompletedTask;
    }

    private sealed class Heir : Parent
    {
        public static new void Fetch()
        {
        }
    }

    private sealed class Generic<T>
    {
        public static T? Fetch() => default;

        public static Task<T?> FetchAsync() => Task.FromResult<T?>(default);
    }
}
