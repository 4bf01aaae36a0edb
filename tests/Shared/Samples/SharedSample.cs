namespace AsyncProbe.Tests.Shared;

/// <summary>One sample for all tests of a class, for those that leave it as they found it.</summary>
public sealed class SharedSample : IAsyncLifetime
{
    private TestApp? _app;

    internal TestApp App => _app!;

    /// <inheritdoc/>
    public async Task InitializeAsync() => _app = await TestApp.StartSampleAsync("--Sample:Upstream=false");

    /// <inheritdoc/>
    public async Task DisposeAsync()
    {
        // A sample that did not start must not hide why.
        if (_app is not null)
        {
            await _app.DisposeAsync();
        }
    }
}
