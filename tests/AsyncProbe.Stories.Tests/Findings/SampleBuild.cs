using System.Diagnostics;
using System.Globalization;
using System.Text.RegularExpressions;

namespace AsyncProbe.Stories.Tests.Findings;

/// <summary>Compiles the sample with the analyzer and a report, as <c>dotnet build</c> does, and leaves its folders unchanged.</summary>
internal static partial class SampleBuild
{
    private static readonly TimeSpan s_timeout = TimeSpan.FromMinutes(3);

    // "bin/Debug/net10.0/": the analyzer has the same configuration as the tests.
    private static readonly string s_configuration = new DirectoryInfo(AppContext.BaseDirectory).Parent!.Name;

    // The same analyzers as in the package.
    private static readonly string[] s_analyzers = [Analyzer("AsyncProbe.Analyzers"), Analyzer("AsyncProbe.Analyzers.CodeFixes")];

    public static string SampleFolder { get; } = Path.Combine(Repository.Folder, "src", "AsyncProbe.Sample");

    /// <summary>Returns the warnings of AsyncProbe.</summary>
    /// <param name="folder">The folder for the build's output.</param>
    /// <param name="report">The report for the analyzer.</param>
    /// <param name="changed">A file of the sample to replace by the one with the same path in the folder; null for none.</param>
    public static async Task<IReadOnlyList<Warning>> WarnAsync(string folder, string report, string? changed = null)
    {
        var targets = Path.Combine(folder, "analyzed.targets");
        await File.WriteAllTextAsync(
            targets,
            $"""
            <Project>
              <ItemGroup>
                <Analyzer Include="{string.Join(';', s_analyzers)}" />
                <AdditionalFiles Include="{report}" />
                {(changed is null ? "" : $"<Compile Remove=\"{changed}\" /><Compile Include=\"{folder}/{changed}\" />")}
              </ItemGroup>
            </Project>
            """);
        var log = await BuildAsync(
            "build", SampleFolder, "-c", s_configuration, "--no-restore", "-t:Compile", "-nodeReuse:false",
            "-p:UseSharedCompilation=false", "-p:BuildProjectReferences=false", "-p:ProduceReferenceAssembly=false",
            "-p:TreatWarningsAsErrors=false", "-p:EnableNETAnalyzers=false", "-p:EnforceCodeStyleInBuild=false",
            $"-p:IntermediateOutputPath={folder}/obj/", $"-p:CustomAfterMicrosoftCommonTargets={targets}");
        return
        [
            .. from found in WarningLine().Matches(log)
               let line = int.Parse(found.Groups["line"].ValueSpan, CultureInfo.InvariantCulture)
               select new Warning(Relative(found.Groups["file"].Value, folder), line, found.Groups["rule"].Value),
        ];
    }

    private static string Analyzer(string name) =>
        Path.Combine(Repository.Folder, "src", name, "bin", s_configuration, "netstandard2.0", name + ".dll");

    private static string Relative(string file, string folder) =>
        Path.GetRelativePath(file.StartsWith(folder, StringComparison.Ordinal) ? folder : SampleFolder, file).Replace('\\', '/');

    private static async Task<string> BuildAsync(params string[] arguments)
    {
        var start = new ProcessStartInfo("dotnet", arguments) { RedirectStandardOutput = true, RedirectStandardError = true };

        // Keep the build under test independent of the build that runs the tests.
        foreach (var name in start.Environment.Keys.Where(key => key.StartsWith("MSBUILD", StringComparison.OrdinalIgnoreCase)).ToList())
        {
            start.Environment.Remove(name);
        }

        using var process = Process.Start(start).ShouldNotBeNull();
        try
        {
            using var timeout = new CancellationTokenSource(s_timeout);
            var errors = process.StandardError.ReadToEndAsync(timeout.Token);
            var output = await process.StandardOutput.ReadToEndAsync(timeout.Token);
            await process.WaitForExitAsync(timeout.Token);
            process.ExitCode.ShouldBe(0, output + await errors);
            return output;
        }
        finally
        {
            if (!process.HasExited)
            {
                process.Kill(entireProcessTree: true);
            }
        }
    }

    [GeneratedRegex(@"^\s*(?<file>[^(\n]+)\((?<line>\d+),\d+\): warning (?<rule>(Blocking|AsyncProbe)\w+):", RegexOptions.Multiline)]
    private static partial Regex WarningLine();

    internal sealed record Warning(string File, int Line, string Rule);
}
