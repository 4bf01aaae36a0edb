namespace AsyncProbe.Truth.Tests.Generator;

/// <summary>Chooses rows so that every two pieces meet in one of them.</summary>
internal static class Plan
{
    private static readonly Style[] s_styles = [Style.Clocked, Style.Bare];
    private static readonly Temperature[] s_temperatures = [Temperature.Cold, Temperature.Warm];
    private static readonly int[] s_clients = [1, 4, 32];

    /// <summary>Thirty rows that have every statement's family, every shape and every position at least once.</summary>
    public static IReadOnlyList<Row> Small(int seed, int count)
    {
        var random = new Random(seed);
        var covered = new HashSet<object>();
        List<Row> rows = [];
        while (rows.Count < count)
        {
            var best = Enumerable.Range(0, 200).Select(_ => Any(random, rows.Count + 1)).Where(r => r.IsPossible)
                .MaxBy(r => Pieces(r).Count(p => !covered.Contains(p)))!;
            covered.UnionWith(Pieces(best));
            rows.Add(best);
        }

        return rows;
    }

    private static IEnumerable<object> Pieces(Row row) => [row.Shape, row.Wait, row.Position, row.Wait.Family, (row.Clients, row.Temperature), row.Style];

    private static Row Any(Random random, int number) => new(
        number, Pick(random, Shapes.All), Pick(random, Position.All), Pick(random, Waits.All), Pick(random, s_styles), Pick(random, s_temperatures), Pick(random, s_clients));

    private static T Pick<T>(Random random, IReadOnlyList<T> all) => all[random.Next(all.Count)];
}
