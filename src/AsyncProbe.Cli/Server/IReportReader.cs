namespace AsyncProbe.Cli.Server;

/// <summary>Reads a server's report whenever it is asked to; it returns in time, whatever comes back.</summary>
internal interface IReportReader : IDisposable
{
    Uri Url { get; }

    /// <summary>Null, and why, when no report came.</summary>
    (ServerSnapshot? Snapshot, ServerStatus Status) Read(TimeSpan timeout, CancellationToken cancellationToken);
}
