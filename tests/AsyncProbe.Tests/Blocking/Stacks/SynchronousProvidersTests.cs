using System.Data;
using System.Data.Common;
using AsyncProbe.Blocking.Stacks;
using AsyncProbe.Common;
using Microsoft.Data.Sqlite;
using Npgsql;

namespace AsyncProbe.Tests.Blocking.Stacks;

[Trait(Logic.Category, Logic.Name)]
public sealed class SynchronousProvidersTests
{
    private static Duration Ms => Duration.Millisecond;

    [Theory]
    [InlineData(typeof(SqliteCommand), "Microsoft.Data.Sqlite")]
    [InlineData(typeof(SqliteTransaction), "Microsoft.Data.Sqlite")]
    [InlineData(typeof(OldCommand), "AsyncProbe.Tests.Blocking.Stacks")]
    [InlineData(typeof(NewCommand), null)]
    [InlineData(typeof(NpgsqlCommand), null)]
    [InlineData(typeof(DbCommand), null)]
    [InlineData(typeof(string), null)]
    [InlineData(typeof(NoNamespace), null)]
    [InlineData(typeof(Microsoft.EntityFrameworkCore.InMemory.Storage.Store), "EF Core's in-memory database")]
    [InlineData(typeof(Microsoft.EntityFrameworkCore.InMemoryOthers.Store), null)]
    public void Provider_IsKnown_WhenItsAsyncMethodsAreSynchronous(Type type, string? expected) =>
        SynchronousProviders.NameOf(type).ShouldBe(expected);

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
        SynchronousProviders.IsRetry(provider, blockedMs * Ms).ShouldBe(expected);

    private class OldCommand : DbCommand
    {
        [System.Diagnostics.CodeAnalysis.AllowNull]
        public override string CommandText { get; set; } = "";

        public override int CommandTimeout { get; set; }

        public override CommandType CommandType { get; set; }

        public override bool DesignTimeVisible { get; set; }

        public override UpdateRowSource UpdatedRowSource { get; set; }

        protected override DbConnection? DbConnection { get; set; }

        protected override DbParameterCollection DbParameterCollection => throw new NotSupportedException();

        protected override DbTransaction? DbTransaction { get; set; }

        public override void Cancel()
        {
        }

        public override int ExecuteNonQuery() => 0;

        public override object? ExecuteScalar() => null;

        public override void Prepare()
        {
        }

        protected override DbParameter CreateDbParameter() => throw new NotSupportedException();

        protected override DbDataReader ExecuteDbDataReader(CommandBehavior behavior) => throw new NotSupportedException();
    }

    private sealed class NewCommand : OldCommand
    {
        protected override Task<DbDataReader> ExecuteDbDataReaderAsync(CommandBehavior behavior, CancellationToken cancellationToken) =>
            throw new NotSupportedException();
    }
}
