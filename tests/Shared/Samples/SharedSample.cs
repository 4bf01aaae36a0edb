namespace AsyncProbe.Tests.Shared;

/// <summary>One sample for all tests of a class, if they leave it as they found it.</summary>
public sealed class SharedSample : IAsyncLifetime
{
    private TestApp? _app;

    internal TestApp App => _app!;

    /// <inheritdoc/>
    public async Task InitializeAsync() => _app = await TestApp.StartSampleAsync("--Sample:Upstream=false");

    /// <inheritdoc/>
    public async Task DisposeAsync()
    {
        // If the sample didn't start, this must not hide the reason.
        if (_app is not null)
        {
            await _app.DisposeAsync();
        }
    }
}
