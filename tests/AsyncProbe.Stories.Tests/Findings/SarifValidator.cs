using System.Diagnostics;
using System.Text.Json.Nodes;

namespace AsyncProbe.Stories.Tests.Findings;

/// <summary>The validator by SARIF's authors, with the rules of GitHub's code scanning.</summary>
internal static class SarifValidator
{
    private static readonly TimeSpan s_timeout = TimeSpan.FromMinutes(2);

    /// <summary>A tool should link to its project, and this one has no address yet.</summary>
    private const string NoAddress = "SARIF2005";

    /// <summary>The rule and place of each complaint.</summary>
    public static async Task<IReadOnlyList<string>> ValidateAsync(string file)
    {
        var root = (await RunAsync("npm", "root", "--global")).Trim();
        var answer = file + ".validated";
        await RunAsync(
            Path.Combine(root, "@microsoft", "sarif-multitool-linux", "Sarif.Multitool"), "validate", file, "--rule-kind", "Sarif;Ghas",
            "--output", answer, "--log", "ForceOverwrite");
        return
        [
            .. from result in JsonNode.Parse(await File.ReadAllTextAsync(answer))!["runs"]![0]!["results"]!.AsArray()
               let complaint = $"{(string?)result["ruleId"]} {result["message"]?["arguments"]?.ToJsonString()}"
               where !complaint.Contains(NoAddress, StringComparison.Ordinal)
               select complaint,
        ];
    }

    private static async Task<string> RunAsync(string program, params string[] arguments)
    {
        using var process = Process.Start(
            new ProcessStartInfo(program, arguments) { RedirectStandardOutput = true, RedirectStandardError = true })!;
        try
        {
            var (output, errors) = (process.StandardOutput.ReadToEndAsync(), process.StandardError.ReadToEndAsync());
            await process.WaitForExitAsync().WaitAsync(s_timeout);
            process.ExitCode.ShouldBe(0, $"{program}:\n{await output}{await errors}");
            return await output;
        }
        finally
        {
            if (!process.HasExited)
            {
                process.Kill(entireProcessTree: true);
            }
        }
    }
}
