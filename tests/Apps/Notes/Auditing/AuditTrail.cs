namespace Notes.Auditing;

/// <summary>Blocks on an asynchronous write when the request's services are disposed.</summary>
internal sealed class AuditTrail : IDisposable
{
    private bool _hasEntries;

    public void Note() => _hasEntries = true;

    public void Dispose()
    {
        if (_hasEntries)
        {
            WriteAsync().Wait(); // blocks: audit-dispose
        }
    }

    private static async Task WriteAsync() => await Task.Delay(20);
}
