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
}
