using System.Globalization;
using System.Text.RegularExpressions;

namespace AsyncProbe.Packages.Tests;

/// <summary>What <c>make check</c> runs of each room.</summary>
public sealed partial class CheckTests
{
    [Fact]
    public async Task Room_LeavesOutTests_OnlyIfItsTestsTakeTooLong()
    {
        var list = await Commands.RunAsync(
            Repository.Folder, new Dictionary<string, string>(), "python3", Path.Combine("tests", "check"), "--list");

        var most = Seconds(Most().Match(await File.ReadAllTextAsync(Path.Combine(Repository.Folder, "tests", "check"))).Groups[1]);
        var rooms = Row().Matches(list).Select(row => (Room: row.Groups[1].Value, Run: Seconds(row.Groups[2]), LeftOut: Seconds(row.Groups[3])))
            .ToList();
        rooms.Count.ShouldBeGreaterThan(20, list);
        rooms.ShouldAllBe(room => room.Run <= most);
        rooms.Where(room => room.LeftOut > 0).Select(room => room.Room).ShouldContain("Blocking");

        // It leaves out no more than needed.
        rooms.Where(room => room.LeftOut > 0).ShouldAllBe(room => room.Run > most / 2);
    }

    [Theory]
    [InlineData("AsyncProbe")]
    [InlineData("AsyncProbe.Cli")]
    public async Task Room_HasTests_OrNamesTheRoomWhoseTestsRunIt(string project)
    {
        var check = await File.ReadAllTextAsync(Path.Combine(Repository.Folder, "tests", "check"));

        Directory.EnumerateDirectories(Path.Combine(Repository.Folder, "src", project)).Select(folder => Path.GetFileName(folder))
            .Where(room => room is not ("bin" or "obj"))
            .Where(room => !Directory.Exists(Path.Combine(Repository.Folder, "tests", project + ".Tests", room)))
            .Where(room => !check.Contains($"\"{room}\": [", StringComparison.Ordinal))
            .ShouldBeEmpty();
    }

    private static double Seconds(Group text) => double.Parse(text.Value, CultureInfo.InvariantCulture);

    [GeneratedRegex(@"^MOST_SECONDS = (\d+)$", RegexOptions.Multiline)]
    private static partial Regex Most();

    [GeneratedRegex(@"^(\w+) +AsyncProbe\.[\w.]+ +([\d.]+) s run, +([\d.]+) s are left out$", RegexOptions.Multiline)]
    private static partial Regex Row();
}
