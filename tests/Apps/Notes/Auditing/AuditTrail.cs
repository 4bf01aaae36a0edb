namespace Notes.Auditing;

/// <summary>Is written when the request's services are disposed, by waiting for what is asynchronous.</summary>
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
