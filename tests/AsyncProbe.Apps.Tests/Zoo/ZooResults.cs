using System.Diagnostics;
using AsyncProbe.Apps.Tests.Running;

namespace AsyncProbe.Apps.Tests.Zoo;

/// <summary>Writes the counts of each setting to the file that <c>ZOO_RESULTS</c> names, such as tests/zoo-results.md.</summary>
internal static class ZooResults
{
    private static readonly string s_head = $"""
        # What AsyncProbe says about the libraries of the zoo

        `ZOO_RESULTS=$PWD/tests/zoo-results.md dotnet test tests/AsyncProbe.Apps.Tests --settings tests/full.runsettings --filter WholeZoo`
        writes this file. With `ZOO_RECORD=$PWD/tests/AsyncProbe.Cli.Tests/Recorded` it also records the reports that `RecordedReportsTests`
        read. `tests/Apps/Zoo` uses each library as its documentation shows, and states at each line what is true. A site is false
        where nothing blocks, and misleading where something blocks in another way, at another line or at a lock of another owner. A place
        must be named if it blocked {ZooTable.OftenEnough} times and AsyncProbe can see it in that setting.

        {ZooTable.Head}

        """;

    public static void Write(AppSetting setting, ZooTable table)
    {
        if (Environment.GetEnvironmentVariable("ZOO_RESULTS") is not { Length: > 0 } file)
        {
            return;
        }

        var old = File.Exists(file) ? File.ReadLines(file).Where(l => l.StartsWith("| Debug", StringComparison.Ordinal)
            || l.StartsWith("| Release", StringComparison.Ordinal)) : [];
        var row = table.Row($"{setting} (commit {Commit()})");
        var rows = old.Where(l => !l.StartsWith($"| {setting} (", StringComparison.Ordinal)).Append(row).Order(StringComparer.Ordinal).ToList();
        File.WriteAllText(file, s_head + string.Join('\n', rows) + "\n");
    }

    private static string Commit()
    {
        using var git = Process.Start(new ProcessStartInfo("git", "rev-parse --short=12 HEAD")
        {
            RedirectStandardOutput = true,
            WorkingDirectory = Repository.Folder,
        })!;
        return git.StandardOutput.ReadToEnd().Trim();
    }
}
