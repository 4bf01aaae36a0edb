namespace AsyncProbe.Runtimes.Tests;

/// <summary>What docs/catalogue.md lists as found on a runtime: one column of its two tables.</summary>
internal sealed class CatalogueColumn
{
    public const string Hooked = "AsyncProbe.Tests.Blocking.Catalogue.CatalogueTests.";
    public const string Sampled = "AsyncProbe.StackSnapshots.Tests.Catalogue.ArmedCatalogueTests.";

    private const int Positions = 3;

    private readonly Dictionary<string, string> _hooked;
    private readonly Dictionary<string, string> _sampled;

    /// <param name="name">The runtime's name in the tables.</param>
    public CatalogueColumn(string name)
    {
        var lines = File.ReadAllLines(Path.Combine(Repository.Folder, "docs", "catalogue.md"));
        _hooked = Read(lines, first: 0, name);
        _sampled = Read(lines, first: lines.Length - 1 - lines.Reverse().TakeWhile(line => !IsHead(line)).Count(), name);
    }

    /// <summary>The tests that passed must find each promised row in all positions, and with snapshots name nearly all of them.</summary>
    /// <param name="passed">The names of tests.</param>
    public void ShouldBeShownBy(IReadOnlyList<string> passed)
    {
        Sins(Hooked).ShouldBe(Positions * _hooked.Values.Count(IsFound));
        Sins(Sampled).ShouldBe(Positions * _sampled.Values.Count(IsFound));

        var rows = _hooked.Where(row => IsFound(row.Value)).ToList();
        rows.Count.ShouldBeGreaterThanOrEqualTo(40);
        rows.Count(row => row.Value == "named" || _sampled.GetValueOrDefault(row.Key) is "named" or "sampled")
            .ShouldBeGreaterThanOrEqualTo((int)Math.Ceiling(0.95 * rows.Count));

        int Sins(string tests) => passed.Count(test => test.StartsWith(tests + "Sin_", StringComparison.Ordinal));
    }

    private static bool IsFound(string cell) => cell is "named" or "counted" or "sampled";

    private static bool IsHead(string line) => line.StartsWith("| blocks | kind | first |", StringComparison.Ordinal);

    /// <summary>Each row's cell in the first table from a line on.</summary>
    private static Dictionary<string, string> Read(string[] lines, int first, string column)
    {
        var table = lines.Skip(first).SkipWhile(line => !IsHead(line)).TakeWhile(line => line.StartsWith('|'))
            .Select(line => line.Split(" | ").Select(cell => cell.Trim('|', ' ')).ToList()).ToList();
        var index = table[0].IndexOf(column);
        return table.Skip(2).ToDictionary(row => row[0], row => row[index]);
    }
}
