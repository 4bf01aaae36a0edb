using System.Globalization;
using System.Text.Json;
using System.Text.RegularExpressions;

namespace AsyncProbe.Stories.Tests.Products;

/// <summary>A read is cancelled when its client disconnects.</summary>
public sealed partial class LongReadTests
{
    // The rounds of a whole read.
    private const int Rounds = 200;

    [Fact]
    public async Task LongRead_StopsAndLogs499_WhenTheClientLeaves()
    {
        await using var process = await SampleProcess.StartAsync("--Sample:Upstream", "false");
        using var leaving = new CancellationTokenSource();
        var reading = process.Client.GetAsync(new Uri("/Product/longread", UriKind.Relative), leaving.Token);
        await Eventually.TrueAsync(() => IsReadingAsync(process), "the server has no long read under way");

        await leaving.CancelAsync();

        await Should.ThrowAsync<OperationCanceledException>(reading);
        var line = await process.LineAsync("499: the client of /Product/longread left");
        var rounds = StoppedIn().Match(line).Groups[1].Value;
        int.Parse(rounds, CultureInfo.InvariantCulture).ShouldBeLessThan(Rounds / 2, line);
    }

    private static async Task<bool> IsReadingAsync(SampleProcess sample) =>
        JsonDocument.Parse(await sample.TextAsync("/_threadpool?endpoint=longread")).RootElement.GetProperty("endpoints").EnumerateArray()
            .Any(row => row.GetProperty("endpoint").GetString() == "GET /Product/longread" && row.GetProperty("inFlight").GetInt32() > 0);

    [GeneratedRegex(@"stopped in round (\d+)")]
    private static partial Regex StoppedIn();
}
