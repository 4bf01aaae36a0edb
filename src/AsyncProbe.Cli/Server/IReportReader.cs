namespace AsyncProbe.Cli.Server;

/// <summary>Reads a server's report on demand. It always returns in time, whatever the server sends.</summary>
internal interface IReportReader : IDisposable
{
    Uri Url { get; }

    /// <summary>Returns the report, or null and the reason.</summary>
    (ServerSnapshot? Snapshot, ServerStatus Status) Read(TimeSpan timeout, CancellationToken cancellationToken);
}
