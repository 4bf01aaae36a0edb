using System.Diagnostics;
using System.Text.Json;

namespace AsyncProbe.Sample.Tests.Postman;

/// <summary>The collection has every route, and its tests hold.</summary>
public sealed class CollectionTests
{
    // Ends only when its caller gives up; a collection cannot.
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
                // The articles' number is the only parameter in a path.
                var request = $"{operation.Name.ToUpperInvariant()} {path.Name.Replace("{id}", "3", StringComparison.Ordinal)}";
                if (request != Endless)
                {
                    requests.ShouldContain(request);
                }
            }
        }
    }

    [Fact]
    [Trait("Category", "Newman")]
    public async Task Collection_Passes_WhenNewmanRunsIt()
    {
        var own = Path.Combine(Collection.Folder, "node_modules", ".bin");
        var folder = File.Exists(Path.Combine(own, "newman")) ? own : Programs.FindFolder("newman");
        if (folder is null)
        {
            Programs.Missing("newman", "npm", "newman");
            return;
        }

        await using var sample = await SampleProcess.StartAsync();
        using var newman = Process.Start(new ProcessStartInfo(Path.Combine(folder, "newman"))
        {
            ArgumentList =
            {
                "run", Collection.File, "-e", Path.Combine(Collection.Folder, "AsyncProbe.postman_environment.json"),
                "--env-var", $"baseUrl={sample.Client.BaseAddress!.ToString().TrimEnd('/')}", "--reporter-cli-silent",
                "--reporters", "cli,json", "--reporter-json-export", Path.Combine(AppContext.BaseDirectory, "newman.json"),
            },
            RedirectStandardOutput = true,
        })!;
        var output = newman.StandardOutput.ReadToEndAsync();
        await newman.WaitForExitAsync().WaitAsync(TimeSpan.FromMinutes(3));
        newman.ExitCode.ShouldBe(0, await output + "\nSee newman.json beside the tests.");
    }
}
