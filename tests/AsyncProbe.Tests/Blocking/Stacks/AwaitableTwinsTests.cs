using System.Data.Common;
using System.Diagnostics;
using System.Net;
using System.Reflection;
using AsyncProbe.Blocking.Stacks;
using Microsoft.EntityFrameworkCore;

namespace AsyncProbe.Tests.Blocking.Stacks;

[Trait(Logic.Category, Logic.Name)]
public sealed class AwaitableTwinsTests
{
    private const BindingFlags All = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static;

    [Theory]
    [InlineData(typeof(DbCommand), "ExecuteReader", "ExecuteReaderAsync")]
    [InlineData(typeof(DbConnection), "Open", "OpenAsync")]
    [InlineData(typeof(DbDataReader), "Read", "ReadAsync")]
    [InlineData(typeof(Microsoft.Data.Sqlite.SqliteCommand), "ExecuteScalar", "ExecuteScalarAsync")]
    [InlineData(typeof(Stream), "Read", "ReadAsync")]
    [InlineData(typeof(FileStream), "CopyTo", "CopyToAsync")]
    [InlineData(typeof(StreamReader), "ReadToEnd", "ReadToEndAsync")]
    [InlineData(typeof(File), "ReadAllText", "ReadAllTextAsync")]
    [InlineData(typeof(Process), "WaitForExit", "WaitForExitAsync")]
    [InlineData(typeof(HttpClient), "Send", "SendAsync")]
    [InlineData(typeof(Dns), "GetHostEntry", "GetHostEntryAsync")]
    [InlineData(typeof(SemaphoreSlim), "Wait", "WaitAsync")]
    [InlineData(typeof(Thread), "Sleep", "Task.Delay")]
    [InlineData(typeof(Task), "WaitAll", "Task.WhenAll")]
    [InlineData(typeof(Task), "WaitAny", "Task.WhenAny")]
    [InlineData(typeof(DbContext), "SaveChanges", "SaveChangesAsync")]
    [InlineData(typeof(Heir), "Fetch", "FetchAsync")]
    [InlineData(typeof(Generic<int>), "Fetch", "FetchAsync")]
    public void Twin_IsFound(Type type, string method, string twin) =>
        AwaitableTwins.Find(Method(type, method), WaitKind.SyncDb).ShouldBe(twin);

    [Theory]
    [InlineData(typeof(Monitor), "Enter")]
    [InlineData(typeof(ManualResetEventSlim), "Wait")]
    [InlineData(typeof(File), "Copy")]
    [InlineData(typeof(Stream), "ReadByte")]
    [InlineData(typeof(Stream), "ReadAsync")]
    [InlineData(typeof(Parent), "Fire")]
    [InlineData(typeof(Parent), "Hide")]
    [InlineData(typeof(Enumerable), "ToList")]
    public void NoTwin_IsMadeUp(Type type, string method) => AwaitableTwins.Find(Method(type, method), WaitKind.SyncDb).ShouldBeNull();

    [Theory]
    [InlineData(typeof(Enumerable), "ToList", "ToListAsync")]
    [InlineData(typeof(Queryable), "First", "FirstAsync")]
    [InlineData(typeof(Queryable), "Count", "CountAsync")]
    [InlineData(typeof(Queryable), "Where", null)]
    public void Query_HasTheTwinsOfEfCore(Type type, string method, string? twin)
    {
        // It is loaded by now: it is not loaded for the question.
        _ = typeof(EntityFrameworkQueryableExtensions);

        AwaitableTwins.Find(Method(type, method), WaitKind.EfCore).ShouldBe(twin);
    }

    private static MethodInfo Method(Type type, string name) => type.GetMethods(All).First(m => m.Name == name);

    private class Parent
    {
        public static void Fetch()
        {
        }

        public static ValueTask<int> FetchAsync() => new(1);

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
