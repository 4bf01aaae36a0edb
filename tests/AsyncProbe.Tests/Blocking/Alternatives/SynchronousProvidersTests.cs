using System.Data;
using System.Data.Common;
using System.Net.Sockets;
using System.Reflection;
using AsyncProbe.Blocking.Alternatives;
using AsyncProbe.Blocking.Kinds;
using AsyncProbe.Blocking.Methods;
using AsyncProbe.Common;
using AsyncProbe.Rules;
using AsyncProbe.Tests.Blocking.Stacks;
using Microsoft.Data.Sqlite;
using Npgsql;

namespace AsyncProbe.Tests.Blocking.Alternatives;

[Trait(Logic.Category, Logic.Name)]
public sealed class SynchronousProvidersTests
{
    private static Duration Ms => Duration.Millisecond;

    [Theory]
    [InlineData(typeof(SqliteCommand), "Microsoft.Data.Sqlite")]
    [InlineData(typeof(SqliteTransaction), "Microsoft.Data.Sqlite")]
    [InlineData(typeof(SynchronousCommand), "AsyncProbe.Tests.Blocking.Alternatives")]
    [InlineData(typeof(SynchronousConnection), "AsyncProbe.Tests.Blocking.Alternatives")]
    [InlineData(typeof(SynchronousReader), "AsyncProbe.Tests.Blocking.Alternatives")]
    [InlineData(typeof(NewCommand), null)]
    [InlineData(typeof(NpgsqlCommand), null)]
    [InlineData(typeof(NpgsqlConnection), null)]
    [InlineData(typeof(NpgsqlDataReader), null)]
    [InlineData(typeof(DbCommand), null)]
    [InlineData(typeof(string), null)]
    [InlineData(typeof(NoNamespace), null)]
    [InlineData(typeof(CommandWithoutNamespace), null)]
    [InlineData(typeof(Microsoft.EntityFrameworkCore.InMemory.Storage.Store), "EF Core's in-memory database")]
    [InlineData(typeof(Microsoft.EntityFrameworkCore.InMemoryOthers.Store), null)]
    public void Provider_IsKnown_WhenItsAsyncMethodsAreSynchronous(Type type, string? expected) =>
        (SynchronousProviders.Find(type)?.Name).ShouldBe(expected);

    [Theory]
    [InlineData("Microsoft.Data.Sqlite", 151, true)]
    [InlineData("Microsoft.Data.Sqlite", 460, true)]
    [InlineData("Microsoft.Data.Sqlite", 80, false)]
    [InlineData("Microsoft.Data.Sqlite", 200, false)]
    [InlineData("Microsoft.Data.Sqlite", 0, false)]
    [InlineData("Microsoft.Data.Sqlite", 135, true)]
    [InlineData("Microsoft.Data.Sqlite", 134, false)]
    [InlineData("Microsoft.Data.Sqlite", 165, true)]
    [InlineData("Microsoft.Data.Sqlite", 166, false)]
    [InlineData("Other", 151, false)]
    public void Retry_IsKnownByItsSleeps(string provider, int blockedMs, bool expected) =>
        SynchronousProviders.IsRetry(SynchronousProvider.Database(provider), blockedMs * Ms).ShouldBe(expected);

    [Theory]
    [InlineData(typeof(Microsoft.EntityFrameworkCore.InMemory.Storage.Store), false)]
    [InlineData(typeof(SqliteException), false)]
    [InlineData(typeof(NoNamespace), true)]
    public void Method_FreesNoThread_InAProviderThatIsSynchronousThroughout(Type type, bool expected) =>
        SynchronousProviders.IsAsynchronous(type, "SaveAsync").ShouldBe(expected);

    [Fact]
    public void Provider_IsThatOfAFrameOnTheStack() =>
        SynchronousProviders.Find(WaitKind.SyncDb, [Frame("Monitor.Wait"), Frame("SqliteCommand.ExecuteNonQuery"), Frame("Own")])
            .ShouldBe(SynchronousProviders.Sqlite);

    // In optimised code, the operating system's call is all that is left of a file. A socket's stack has it above the socket's own frames.
    [Theory]
    [InlineData(WaitKind.SyncIO, true, "Interop+Sys.Read", "Own")]
    [InlineData(WaitKind.SyncIO, true, "RandomAccess.Read", "Own")]
    [InlineData(WaitKind.SyncIO, true, "FileStream.Flush", "Own")]
    [InlineData(WaitKind.SyncIO, true, "FileSystem.DeleteFile", "Own")]
    [InlineData(WaitKind.SyncIO, false, "Socket.Receive", "Own")]
    [InlineData(WaitKind.SyncIO, false, "Monitor.Wait", "Socket.Receive", "Own")]
    [InlineData(WaitKind.Lock, false, "FileStream.Flush", "Own")]
    [InlineData(WaitKind.SyncIO, false, "Socket.Receive", "Own", "File.ReadAllText")]
    public void Files_AreSynchronous_WhereTheOperatingSystemHasNothingElse(object kind, bool expected, params string[] stack) =>
        SynchronousProviders.Find((WaitKind)kind, stack.Select(Frame)).ShouldBe(
            expected && !OperatingSystem.IsWindows() ? SynchronousProvider.Files : null);

    private static FrameInfo Frame(string name) => HandMadeStacks.Frames.Get(name switch
    {
        "Interop+Sys.Read" => typeof(File).Assembly.GetType("Interop+Sys")!.GetMethods(Any).First(m => m.Name == "Read"),
        "FileSystem.DeleteFile" => HandMadeStacks.Method(typeof(File).Assembly.GetType("System.IO.FileSystem")!, "DeleteFile"),
        "RandomAccess.Read" => typeof(RandomAccess).GetMethods().First(m => m.Name == "Read"),
        "FileStream.Flush" => HandMadeStacks.Method(typeof(FileStream), nameof(FileStream.Flush)),
        "Monitor.Wait" => HandMadeStacks.Method(typeof(Monitor), nameof(Monitor.Wait)),
        "SqliteCommand.ExecuteNonQuery" => HandMadeStacks.Method(typeof(SqliteCommand), nameof(SqliteCommand.ExecuteNonQuery)),
        "Socket.Receive" => typeof(Socket).GetMethods().First(m => m.Name == nameof(Socket.Receive)),
        "File.ReadAllText" => typeof(File).GetMethods().First(m => m.Name == nameof(File.ReadAllText)),
        _ => HandMadeStacks.Own,
    });

    private static BindingFlags Any => BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic;

    private sealed class NewCommand : SynchronousCommand
    {
        protected override Task<DbDataReader> ExecuteDbDataReaderAsync(CommandBehavior behavior, CancellationToken cancellationToken) =>
            throw new NotSupportedException();
    }
}
