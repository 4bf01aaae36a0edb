using Microsoft.Extensions.DependencyInjection;

namespace AsyncProbe.Sample.Tests.Database;

/// <summary>The database that needs no installation.</summary>
public sealed class SqliteTests
{
    // The first five of an endpoint don't count, and five more are needed.
    private const int Requests = 12;

    [Fact]
    public async Task Awaiting_HoldsTheThread_AndTheVerdictNamesTheProvider()
    {
        await using var app = await TestApp.StartSampleAsync("--Sample:Upstream=false");
        for (var i = 0; i < Requests; i++)
        {
            await app.TextAsync("/sins/ef-save-changes-async?ms=100");
        }

        var row = await app.EndpointAsync("GET /sins/ef-save-changes-async", Requests);
        row.GetProperty("verdict").GetString().ShouldBe("providerIsSynchronous");
        row.GetProperty("advice").GetString().ShouldNotBeNull().ShouldContain("Microsoft.Data.Sqlite");
    }

    [Fact]
    public async Task File_IsOfThisAppAlone_AndGoesWithIt()
    {
        string file;
        await using (var app = await TestApp.StartSampleAsync("--Sample:Upstream=false"))
        {
            await using var other = await TestApp.StartSampleAsync("--Sample:Upstream=false");
            await app.TextAsync("/Product/3");
            await other.TextAsync("/Product/3");
            file = FileOf(app);
            File.Exists(file).ShouldBeTrue();
            FileOf(other).ShouldNotBe(file);
        }

        Directory.GetFiles(Path.GetDirectoryName(file)!, Path.GetFileName(file) + "*").ShouldBeEmpty();
    }

    private static string FileOf(TestApp app)
    {
        using var scope = app.Services.CreateScope();
        return Microsoft.EntityFrameworkCore.RelationalDatabaseFacadeExtensions
            .GetDbConnection(scope.ServiceProvider.GetRequiredService<AsyncProbe.Sample.Products.ProductContext>().Database).DataSource;
    }
}
