using System.Diagnostics;
using System.Text.Json;

namespace AsyncProbe.Stories.Tests.Products;

/// <summary>A read is cancelled when its client disconnects.</summary>
public sealed class LongReadTests
{
    [Fact]
    public async Task LongRead_StopsAndLogs499_WhenTheClientLeaves()
    {
        await using var process = await SampleProcess.StartAsync("--Sample:Upstream", "false");
        List<TimeSpan> stopped = [];
        for (var i = 0; i < 11; i++)
        {
            stopped.Add(await LeaveAsync(process, i + 1));
        }

        // On an idle machine it takes a millisecond; on a crowded one the median of several is still quick.
        stopped.Order().ElementAt(5).ShouldBeLessThan(TimeSpan.FromMilliseconds(100));
    }

    /// <summary>How long it takes from the client's disconnection to the line in the log.</summary>
    private static async Task<TimeSpan> LeaveAsync(SampleProcess sample, int lines)
    {
        using var patience = new CancellationTokenSource();
        var reading = sample.Client.GetAsync(new Uri("/Product/longread", UriKind.Relative), patience.Token);
        await Eventually.TrueAsync(async () => await IsReadingAsync(sample, lines - 1), "the server has no long read under way");
        var left = Stopwatch.GetTimestamp();
        await patience.CancelAsync();
        await Should.ThrowAsync<OperationCanceledException>(reading);
        while (sample.Output.Split("499: the client of /Product/longread left").Length <= lines)
        {
            Stopwatch.GetElapsedTime(left).ShouldBeLessThan(TestApp.Timeout, sample.Output);
            await Task.Delay(5);
        }

        return Stopwatch.GetElapsedTime(left);
    }

    // The line of the previous request is written while that request still counts as in flight.
    private static async Task<bool> IsReadingAsync(SampleProcess sample, int before) =>
        JsonDocument.Parse(await sample.TextAsync("/_threadpool?endpoint=longread")).RootElement.GetProperty("endpoints").EnumerateArray()
            .Any(row => row.GetProperty("endpoint").GetString() == "GET /Product/longread" && row.GetProperty("inFlight").GetInt32() > 0
                && row.GetProperty("requests").GetInt32() == before);
}
