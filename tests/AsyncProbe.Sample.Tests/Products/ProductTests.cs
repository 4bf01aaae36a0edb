using System.Diagnostics;
using System.Text.Json;

namespace AsyncProbe.Sample.Tests.Products;

/// <summary>The catalogue.</summary>
public sealed class ProductTests(SharedSample sample) : IClassFixture<SharedSample>
{
    [Theory]
    [InlineData("", 12)]
    [InlineData("?category=all", 12)]
    [InlineData("?category=boots", 4)]
    [InlineData("?category=equip", 4)]
    [InlineData("?category=kayak", 4)]
    public async Task List_HasTheCategory_WhenAsked(string query, int articles)
    {
        var app = sample.App;
        foreach (var route in new[] { "/Product", "/SyncProduct" })
        {
            JsonDocument.Parse(await app.TextAsync(route + query)).RootElement.GetArrayLength().ShouldBe(articles);
        }
    }

    [Fact]
    public async Task One_IsTheArticle_WhenThereIsOne()
    {
        var app = sample.App;
        const string expected = """{"id":3,"name":"Woodsman","category":"Boots","price":64.99}""";

        (await app.TextAsync("/Product/3")).ShouldBe(expected);
        (await app.TextAsync("/SyncProduct/3")).ShouldBe(expected);
    }

    [Theory]
    [InlineData("/99", 404)]
    [InlineData("/abc", 400)]
    [InlineData("?category=hats", 400)]
    [InlineData("?category=7", 400)]
    public async Task Catalogue_Refuses_WhenThereIsNoSuchThing(string path, int status)
    {
        var app = sample.App;
        foreach (var route in new[] { "/Product", "/SyncProduct" })
        {
            using var answer = await app.GetAsync(route + path);
            await answer.ShouldBeProblemAsync(status);
        }
    }

    [Fact]
    public async Task Query_BlocksOnlyWhenSynchronous_WhenItTakesItsTime()
    {
        var app = sample.App;
        await app.TextAsync("/Product");
        using var sync = await app.GetAsync("/SyncProduct");
        using var awaited = await app.GetAsync("/Product");

        sync.Number("X-AsyncProbe-Blocked-Ms").ShouldBeGreaterThan(380);
        awaited.Number("X-AsyncProbe-Blocked-Ms").ShouldBeLessThan(200);
    }

    [Fact]
    public async Task LongRead_StopsAndLogs499_WhenTheClientLeaves()
    {
        await using var process = await SampleProcess.StartAsync("--Sample:Upstream", "false");
        List<TimeSpan> stopped = [];
        for (var i = 0; i < 11; i++)
        {
            stopped.Add(await LeaveAsync(process, i + 1));
        }

        // Alone it takes a millisecond; of several on a crowded machine the one in the middle is quick all the same.
        stopped.Order().ElementAt(5).ShouldBeLessThan(TimeSpan.FromMilliseconds(100));
    }

    /// <summary>How long it takes from the client's leaving to the line in the log.</summary>
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

    // The line of the one before is written while it still counts as under way.
    private static async Task<bool> IsReadingAsync(SampleProcess sample, int before) =>
        JsonDocument.Parse(await sample.TextAsync("/_threadpool?endpoint=longread")).RootElement.GetProperty("endpoints").EnumerateArray()
            .Any(row => row.GetProperty("endpoint").GetString() == "GET /Product/longread" && row.GetProperty("inFlight").GetInt32() > 0
                && row.GetProperty("requests").GetInt32() == before);
}
