namespace AsyncProbe.Sample.Tests.Customers;

/// <summary>Waiting compared with computing.</summary>
public sealed class CustomersTests(SharedSample sample) : IClassFixture<SharedSample>
{
    [Fact]
    public async Task Waiting_BlocksOnlyTheSynchronousOne_WhenBothLastAsLong()
    {
        var app = sample.App;
        await app.TextAsync("/Customers/AsyncGet200MsDelay");
        await app.TextAsync("/Customers/SyncGet200MsDelay");
        using var sync = await app.GetAsync("/Customers/SyncGet200MsDelay");
        using var awaited = await app.GetAsync("/Customers/AsyncGet200MsDelay");

        sync.Number("X-AsyncProbe-Held-Ms").ShouldBeGreaterThan(190);
        await app.IsBlockedAsync("/Customers/SyncGet200MsDelay");
        (await app.LeastBlockedAsync("/Customers/AsyncGet200MsDelay")).ShouldBeLessThan(50);
        (await sync.Content.ReadAsStringAsync()).ShouldBe(await awaited.Content.ReadAsStringAsync());
    }

    [Theory]
    [InlineData("/Customers/SyncGetCpuBound")]
    [InlineData("/Customers/AsyncGetCpuBound")]
    public async Task Computing_SaysHowManySums_WhenAsked(string path)
    {
        var app = sample.App;
        (await app.TextAsync(path)).ShouldStartWith("""{"count":1000000,"sum":""");
    }

    [Fact]
    public async Task FirstOfTen_HoldsThreadsOrNone_WhenTheFirstAnswerWins()
    {
        await using var app = await TestApp.StartSampleAsync();
        await app.TextAsync("/Customers/SyncGetFirstOfTen");
        await app.TextAsync("/Customers/AsyncGetFirstOfTen");
        using var sync = await app.GetAsync("/Customers/SyncGetFirstOfTen");
        using var awaited = await app.GetAsync("/Customers/AsyncGetFirstOfTen");

        // The quickest of the ten takes 100 ms.
        sync.Number("X-AsyncProbe-Held-Ms").ShouldBeGreaterThan(90);
        await app.IsBlockedAsync("/Customers/SyncGetFirstOfTen");
        (await app.LeastBlockedAsync("/Customers/AsyncGetFirstOfTen")).ShouldBeLessThan(50);
        (await sync.Content.ReadAsStringAsync()).ShouldEndWith("\"cancelled\":9}");
        (await awaited.Content.ReadAsStringAsync()).ShouldEndWith("\"cancelled\":9}");
    }
}
