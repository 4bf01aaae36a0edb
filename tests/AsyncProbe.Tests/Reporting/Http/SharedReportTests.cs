using System.IO.Compression;
using System.Text.Json;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;

namespace AsyncProbe.Tests.Reporting.Http;

/// <summary>The report as an open page requests it, once a second.</summary>
public sealed class SharedReportTests
{
    private const int Many = 60;

    private const string Brief = "/_threadpool?history=1";

    [Theory]
    [InlineData(Many, Brief, "gzip, deflate, br", true)]
    [InlineData(Many, Brief, "br;q=1, GZIP;q=0.5", true)]
    [InlineData(Many, Brief, "gzip;q=0", false)]
    [InlineData(Many, Brief, "br", false)]
    [InlineData(Many, Brief, ";;q=x, g zip", false)]
    [InlineData(Many, Brief, null, false)]
    [InlineData(Many, "/_threadpool", "gzip", false)]
    [InlineData(1, Brief, "gzip", false)]
    public async Task LargeReport_IsCompressed_ForThoseWhoTakeIt(int endpoints, string address, string? accepted, bool isCompressed)
    {
        await using var app = await StartAsync(endpoints, compressesItself: false);

        using var response = await AskAsync(app, address, accepted);

        response.Content.Headers.ContentEncoding.ShouldBe(isCompressed ? ["gzip"] : []);
        response.Headers.Vary.ShouldBe(["Accept", "Accept-Encoding"]);
        (await ReadAsync(response)).EndpointNames().Length.ShouldBe(endpoints);
    }

    [Fact]
    public async Task LargeReport_IsCompressedOnce_WhereTheAppCompressesItsResponses()
    {
        await using var app = await StartAsync(Many, compressesItself: true);

        using var response = await AskAsync(app, Brief, "gzip");

        response.Content.Headers.ContentEncoding.ShouldBe(["gzip"]);
        (await ReadAsync(response)).EndpointNames().Length.ShouldBe(Many);
    }

    private static async Task<ProbedApp> StartAsync(int endpoints, bool compressesItself)
    {
        var app = await ProbedApp.StartAsync(
            a =>
            {
                if (compressesItself)
                {
                    a.UseResponseCompression();
                }

                a.UseAsyncProbe();
                for (var i = 0; i < endpoints; i++)
                {
                    a.MapGet($"/route{i}", context => context.Response.WriteAsync("answered"));
                }
            },
            configure: b => b.Services.AddResponseCompression(),
            usesProbe: false);
        for (var i = 0; i < endpoints; i++)
        {
            await app.GetAsync($"/route{i}");
        }

        // Requests may be counted a moment after their answers.
        await Eventually.TrueAsync(async () => (await app.ReportAsync()).EndpointNames().Length == endpoints, "not all were counted");
        return app;
    }

    private static Task<HttpResponseMessage> AskAsync(ProbedApp app, string address, string? accepted)
    {
        var request = new HttpRequestMessage(HttpMethod.Get, address);
        if (accepted is not null)
        {
            request.Headers.TryAddWithoutValidation("Accept-Encoding", accepted);
        }

        return app.Client.SendAsync(request);
    }

    private static async Task<JsonElement> ReadAsync(HttpResponseMessage response)
    {
        Stream body = await response.Content.ReadAsStreamAsync();
        if (response.Content.Headers.ContentEncoding.Contains("gzip"))
        {
            body = new GZipStream(body, CompressionMode.Decompress);
        }

        return (await JsonDocument.ParseAsync(body)).RootElement;
    }
}
