using System.Text.Json;

namespace AsyncProbe.Stories.Tests.Import;

/// <summary>The sample's own document, fetched from the sample.</summary>
[SideBySide]
public sealed class OpenApiImportTests
{
    [Fact]
    public async Task OwnDocument_IsImportedWhole_AndOpensAsASession()
    {
        await using var sample = await SampleProcess.StartAsync();
        var place = new Uri(sample.Address, "/swagger/v1/swagger.json");
        using var client = new HttpClient();
        using var document = JsonDocument.Parse(await client.GetStringAsync(place));
        var operations = document.RootElement.GetProperty("paths").EnumerateObject()
            .SelectMany(
                path => path.Value.EnumerateObject().Where(operation => operation.Name is "get" or "post").Select(
                    operation => $"{operation.Name.ToUpperInvariant()} {path.Name}")).ToList();
        var file = Path.Combine(AppContext.BaseDirectory, "swagger.websurge");

        var import = await AsyncProbeCommand.RunAsync(
            ["import", place.ToString(), "-o", file,
                .. operations.Where(operation => operation.StartsWith("POST", StringComparison.Ordinal))
                    .SelectMany(operation => new[] { "--operation", operation })]);

        import.ExitCode.ShouldBe(0, import.Messages);
        import.Messages.ShouldNotContain("Only GETs are taken");
        import.Messages.ShouldContain($"{operations.Count} requests written");
        var check = await AsyncProbeCommand.RunAsync("check", file);
        check.ExitCode.ShouldBe(0, check.Messages);
        check.Results.ShouldContain($"{operations.Count} requests");
        check.Results.ShouldContain($"GET {sample.Address}Customers/SyncGet200MsDelay");
    }
}
