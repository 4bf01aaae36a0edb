using System.Diagnostics;

namespace AsyncProbe.Stories.Tests.Postman;

/// <summary>The collection's own tests pass. Nothing else runs, because some limit how long a request may be blocked.</summary>
public sealed class NewmanTests
{
    private static readonly string s_folder = Path.Combine(Repository.Folder, "postman");

    [Fact]
    [Trait("Category", "Newman")]
    public async Task Collection_Passes_WhenNewmanRunsIt()
    {
        var own = Path.Combine(s_folder, "node_modules", ".bin");
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
                "run", Path.Combine(s_folder, "AsyncProbe.postman_collection.json"), "-e",
                Path.Combine(s_folder, "AsyncProbe.postman_environment.json"),
                "--env-var", $"baseUrl={sample.Address.ToString().TrimEnd('/')}", "--reporter-cli-silent",
                "--reporters", "cli,json", "--reporter-json-export", Path.Combine(AppContext.BaseDirectory, "newman.json"),
            },
            RedirectStandardOutput = true,
        })!;
        var output = newman.StandardOutput.ReadToEndAsync();
        await newman.WaitForExitAsync().WaitAsync(TimeSpan.FromMinutes(3));
        newman.ExitCode.ShouldBe(0, await output + "\nSee newman.json beside the tests.");
    }
}
