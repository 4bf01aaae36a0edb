using AsyncProbe.Requests.Endpoints;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;
using Microsoft.AspNetCore.Routing.Patterns;

namespace AsyncProbe.Tests.Requests.Endpoints;

public sealed class EndpointTableTests
{
    // As Kestrel passes them on: a known method is a constant, any other text is a new string for each request.
    private static readonly string[] s_methods = ["patch", "Get", .. Enumerable.Range(1, 9).Select(i => $"x{i}")];

    [Theory]
    [InlineData("/matched/{id}")]
    [InlineData("{**all}")]
    [InlineData(null)]
    public void Method_CostsTheSameTheHundredThousandthTime_HoweverItIsSpelled(string? template)
    {
        var table = new EndpointTable(1000, 200);
        var endpoint = template is null ? MethodNotAllowed() : Route(template);
        for (var i = 0; i < 1000; i++)
        {
            Ask(table, endpoint, i);
        }

        var allocatedBefore = GC.GetAllocatedBytesForCurrentThread();
        for (var i = 0; i < 100_000; i++)
        {
            Ask(table, endpoint, i);
        }

        var allocated = GC.GetAllocatedBytesForCurrentThread() - allocatedBefore;

        // Only the texts themselves, 32 bytes each. There is no longer a node for each request, which every later request would walk over.
        (allocated / 100_000).ShouldBeLessThanOrEqualTo(40);
        table.Read().ShouldBeEmpty();
        table.Overflowed.ShouldBe(0);
    }

    [Fact]
    public async Task Methods_InAnotherCase_AreCountedUnderTheirRow()
    {
        await using var app = await ProbedApp.StartAsync(a =>
        {
            a.MapPatch("/matched", () => "matched");
            a.MapFallback(() => "all");
        });
        for (var i = 0; i < 3; i++)
        {
            foreach (var method in s_methods)
            {
                using var matched = new HttpRequestMessage(new HttpMethod(method), "/matched");
                using var other = new HttpRequestMessage(new HttpMethod(method), "/other");
                (await app.Client.SendAsync(matched)).Dispose();
                (await app.Client.SendAsync(other)).Dispose();
            }
        }

        (await app.EndpointAsync("PATCH /matched", 3)).Count("requests").ShouldBe(3);
        (await app.EndpointAsync("_OTHER /{*path:nonfile}", 54)).Count("requests").ShouldBe(54);
        (await app.ReportAsync()).EndpointNames().Length.ShouldBe(4);
    }

    private static void Ask(EndpointTable table, Endpoint endpoint, int i) =>
        table.GetOrAdd(endpoint, new string(s_methods[i % s_methods.Length]));

    private static RouteEndpoint Route(string template) =>
        new(_ => Task.CompletedTask, RoutePatternFactory.Parse(template), 0, EndpointMetadataCollection.Empty, null);

    // Routing returns an endpoint that isn't a route.
    private static Endpoint MethodNotAllowed() =>
        new(_ => Task.CompletedTask, EndpointMetadataCollection.Empty, "405 HTTP Method Not Supported");
}
