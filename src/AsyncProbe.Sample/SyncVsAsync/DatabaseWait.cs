using AsyncProbe.Sample.Database;
using AsyncProbe.Sample.Upstream;
using Dapper;
using Npgsql;

namespace AsyncProbe.Sample.SyncVsAsync;

/// <summary>A query that takes a while: <c>pg_sleep</c> through Dapper, or a call to the upstream process without PostgreSQL.</summary>
public sealed class DatabaseWait
{
    private const string Query = "select pg_sleep(@seconds)";
    private readonly NpgsqlDataSource? _postgres;
    private readonly UpstreamClient _upstream;

    internal DatabaseWait(SampleDatabase database, UpstreamClient upstream)
    {
        _postgres = database.Postgres;
        _upstream = upstream;
    }

    /// <summary>Waits on the calling thread.</summary>
    public void Wait(TimeSpan time)
    {
        if (_postgres is null)
        {
            _upstream.Wait((int)time.TotalMilliseconds);
            return;
        }

        using var connection = _postgres.OpenConnection();
        connection.Execute(Query, new { seconds = time.TotalSeconds });
    }

    /// <summary>Awaits.</summary>
    public async Task WaitAsync(TimeSpan time, CancellationToken cancellation)
    {
        if (_postgres is null)
        {
            await _upstream.WaitAsync((int)time.TotalMilliseconds, cancellation);
            return;
        }

        await using var connection = await _postgres.OpenConnectionAsync(cancellation);
        await connection.ExecuteAsync(new CommandDefinition(Query, new { seconds = time.TotalSeconds }, cancellationToken: cancellation));
    }
}
