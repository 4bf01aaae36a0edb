using System.Data;
using System.Data.Common;
using System.Diagnostics.CodeAnalysis;

namespace AsyncProbe.Tests.Blocking.Alternatives;

/// <summary>As in older providers: one asynchronous method is the base class's, another only returns a completed task.</summary>
internal sealed class SynchronousConnection : DbConnection
{
    [AllowNull]
    public override string ConnectionString { get; set; } = "";

    public override string Database => "";

    public override string DataSource => "";

    public override string ServerVersion => "";

    public override ConnectionState State => ConnectionState.Closed;

    public override void ChangeDatabase(string databaseName)
    {
    }

    public override void Close()
    {
    }

    public override Task CloseAsync()
    {
        Close();
        return Task.CompletedTask;
    }

    public override void Open()
    {
    }

    protected override DbTransaction BeginDbTransaction(IsolationLevel isolationLevel) =>
        throw new NotSupportedException();

    protected override DbCommand CreateDbCommand() => throw new NotSupportedException();
}
