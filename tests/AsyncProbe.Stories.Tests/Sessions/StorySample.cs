using AsyncProbe.Stories.Tests.Database;

namespace AsyncProbe.Stories.Tests.Sessions;

/// <summary>One complete sample for all sessions, with the upstream process, and PostgreSQL if it is installed.</summary>
public sealed class StorySample : IAsyncLifetime
{
    private PostgresCluster? _cluster;
    private SampleProcess? _sample;

    /// <summary>The sample's address.</summary>
    public string Url => _sample!.Address.ToString();

    /// <inheritdoc/>
    public async Task InitializeAsync()
    {
        _cluster = await PostgresCluster.StartNewAsync();
        _sample = await SampleProcess.StartAsync(_cluster is null ? [] : ["--ConnectionStrings:Postgres", _cluster.ConnectionString]);
    }

    /// <inheritdoc/>
    public async Task DisposeAsync()
    {
        if (_sample is not null)
        {
            await _sample.DisposeAsync();
        }

        if (_cluster is not null)
        {
            await _cluster.DisposeAsync();
        }
    }
}
