using AsyncProbe.Stories.Tests.Database;

namespace AsyncProbe.Stories.Tests.Sessions;

/// <summary>One sample with all its parts for all sessions: the upstream process, and PostgreSQL where it is installed.</summary>
public sealed class StorySample : IAsyncLifetime
{
    private PostgresCluster? _cluster;
    private SampleProcess? _sample;

    /// <summary>Where it listens.</summary>
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
