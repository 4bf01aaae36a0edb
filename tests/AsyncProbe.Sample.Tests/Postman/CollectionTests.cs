using System.Text.Json;

namespace AsyncProbe.Sample.Tests.Postman;

/// <summary>The collection contains every route. AsyncProbe.Stories.Tests run it.</summary>
public sealed class CollectionTests
{
    // It ends only when its caller gives up, which a collection can't do.
    private const string Endless = "GET /sins/endless";

    [Fact]
    public async Task Collection_HasEveryRoute_WhenComparedWithSwagger()
    {
        await using var app = await TestApp.StartSampleAsync("--Sample:Upstream=false");
        var paths = JsonDocument.Parse(await app.TextAsync("/swagger/v1/swagger.json")).RootElement.GetProperty("paths");
        var requests = Collection.Requests();
        foreach (var path in paths.EnumerateObject())
        {
            foreach (var operation in path.Value.EnumerateObject())
            {
                // The article's id is the only parameter in a path.
                var request = $"{operation.Name.ToUpperInvariant()} {path.Name.Replace("{id}", "3", StringComparison.Ordinal)}";
                if (request != Endless)
                {
                    requests.ShouldContain(request);
                }
            }
        }
    }
}
