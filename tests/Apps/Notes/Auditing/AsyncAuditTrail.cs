namespace Notes.Auditing;

/// <summary>The same as <see cref="AuditTrail"/>, but awaited.</summary>
internal sealed class AsyncAuditTrail : IAsyncDisposable
{
    private bool _hasEntries;

    public void Note() => _hasEntries = true;

    public async ValueTask DisposeAsync()
    {
        if (_hasEntries)
        {
            await Task.Delay(20);
        }
    }
}
