using System.Diagnostics;
using System.Text.Json;

namespace AsyncProbe.Stories.Tests.Products;

/// <summary>A read is cancelled when its client disconnects.</summary>
public sealed class LongReadTests
{
    private static readonly TimeSpan s_wholeRead = TimeSpan.FromSeconds(10);

    [Fact]
    public async Task LongRead_StopsAndLogs499_WhenTheClientLeaves()
    {
        await using var process = await SampleProcess.StartAsync("--Sample:Upstream", "false");
        using var leaving = new CancellationTokenSource();
        var reading = process.Client.GetAsync(new Uri("/Product/longread", UriKind.Relative), leaving.Token);
        await Eventually.TrueAsync(() => IsReadingAsync(process), "the server has no long read under way");

        var left = Stopwatch.StartNew();
        await leaving.CancelAsync();

        await Should.ThrowAsync<OperationCanceledException>(reading);
        await process.LineAsync("499: the client of /Product/longread left");
        left.Elapsed.ShouldBeLessThan(s_wholeRead / 2);
    }

    private static async Task<bool> IsReadingAsync(SampleProcess sample) =>
        JsonDocument.Parse(await sample.TextAsync("/_threadpool?endpoint=longread")).RootElement.GetProperty("endpoints").EnumerateArray()
            .Any(row => row.GetProperty("endpoint").GetString() == "GET /Product/longread" && row.GetProperty("inFlight").GetInt32() > 0);
}
