using System.Runtime.InteropServices;

namespace AsyncProbe.Runtimes.Tests;

/// <summary>The app of AsyncProbe.Trimmed, published once. Warnings are errors there.</summary>
public sealed class TrimmedApp : IAsyncLifetime
{
    internal string Program { get; private set; } = "";

    public async Task InitializeAsync()
    {
        var folder = await Published.FolderAsync("tests/AsyncProbe.Trimmed", "net10.0", RuntimeInformation.RuntimeIdentifier);
        Program = Path.Combine(folder, "AsyncProbe.Trimmed");
    }

    public Task DisposeAsync() => Task.CompletedTask;
}
