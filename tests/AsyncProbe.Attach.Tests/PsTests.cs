using System.Diagnostics;
using System.Globalization;

namespace AsyncProbe.Attach.Tests;

public sealed class PsTests
{
    [Fact]
    public async Task SdksOwnProcesses_AreNamedBelowTheApplications()
    {
        await using var shop = await ShopProcess.StartAsync();

        // A program of the SDK that waits for input, and the dotnet command that has started it.
        using var sdk = Process.Start(new ProcessStartInfo("dotnet", ["fsi", "--nologo", "--readline-"])
        {
            RedirectStandardInput = true, RedirectStandardOutput = true,
        })!;
        try
        {
            await sdk.StandardOutput.ReadAsync(new char[1]).AsTask().WaitAsync(ChildProcess.Timeout);
            var pid = sdk.Id.ToString(CultureInfo.InvariantCulture);

            var lines = (await AsyncProbeCommand.ResultsAsync("ps")).Split('\n', StringSplitOptions.RemoveEmptyEntries);

            lines[..^1].ShouldContain(line => line.Contains(shop.Pid, StringComparison.Ordinal));
            lines[..^1].ShouldNotContain(line => line.Contains(pid, StringComparison.Ordinal));
            lines[^1].ShouldContain("fsi (");
            lines[^1].ShouldContain(pid);
        }
        finally
        {
            sdk.Kill(entireProcessTree: true);
            await sdk.WaitForExitAsync().WaitAsync(ChildProcess.Timeout);
        }
    }
}
