namespace AsyncProbe.Truth.Tests.Generator;

/// <summary>A row and the setting in which it runs.</summary>
internal sealed record PlannedRow(RuntimeSetting Setting, Row Row);

/// <summary>Chooses rows.</summary>
internal static class Plan
{
    // More tries find smaller sets of rows that contain all pairs, but after a few dozen there is hardly any gain.
    private const int Tries = 60;

    private static readonly Style[] s_styles = [Style.Clocked, Style.Bare];
    private static readonly Temperature[] s_temperatures = [Temperature.Cold, Temperature.Warm];
    private static readonly int[] s_clients = [1, 4, 32];

    /// <summary>
    /// Rows in which every possible combination of two pieces occurs: shape and family of statement, position and setting, and so on.
    /// </summary>
    public static IReadOnlyList<PlannedRow> Pairwise()
    {
        var random = new Random(12);
        var wanted = Candidates().SelectMany(Pairs).ToHashSet();
        var turns = new Dictionary<Family, int>();
        List<PlannedRow> rows = [];
        while (wanted.Count > 0)
        {
            // The best of several candidates that all contain one wanted pair.
            var target = wanted.First();
            var best = Enumerable.Range(0, Tries)
                .Select(_ => Random(random, target))
                .OfType<PlannedRow>()
                .MaxBy(r => Pairs(r).Count(wanted.Contains));
            if (best is null)
            {
                continue;
            }

            wanted.ExceptWith(Pairs(best));
            rows.Add(new PlannedRow(best.Setting, WithNextOfFamily(best.Row, turns) with { Number = rows.Count + 1 }));
        }

        foreach (var planned in Turning())
        {
            rows.Add(planned with { Row = planned.Row with { Number = rows.Count + 1 } });
        }

        return rows;
    }

    // Only waits that don't spin first. Otherwise the mean over all requests, which a crowd doesn't change, could hide a wrong answer.
    private static IEnumerable<PlannedRow> Turning()
    {
        var waits = Waits.All.Where(w => w is { Verdict: "asyncWillHelp", SpinsFirst: false, SeenBy: SeenBy.Hook, Family: Family.Signal })
            .ToList();
        return RuntimeSetting.All.SelectMany((setting, i) => new[] { Course.TurnsOn, Course.TurnsOff }.Select(course => new PlannedRow(
            setting,
            new Row(0, Shapes.All[i % 2], Position.All[0], waits[i % waits.Count], Style.Bare, Temperature.Warm, 1) { Course = course })));
    }

    /// <summary>All possible rows, a sixth of a million; for a script and a long night.</summary>
    public static IEnumerable<PlannedRow> Full() =>
        from setting in RuntimeSetting.All
        from shape in Shapes.All
        from position in Position.All
        from wait in Waits.All
        from style in s_styles
        from temperature in s_temperatures
        from clients in s_clients
        let row = new Row(0, shape, position, wait, style, temperature, clients)
        where row.IsPossible
        select new PlannedRow(setting, row);

    // The statements of a family take turns, so that each is in many rows.
    private static Row WithNextOfFamily(Row row, Dictionary<Family, int> turns)
    {
        var family = Waits.All.Where(w => w.Family == row.Wait.Family).ToList();
        for (var i = 0; i < family.Count; i++)
        {
            var turn = turns[row.Wait.Family] = turns.GetValueOrDefault(row.Wait.Family) + 1;
            var next = row with { Wait = family[turn % family.Count] };
            if (next.IsPossible)
            {
                return next;
            }
        }

        return row;
    }

    // Enough of the product to contain every possible pair: setting, style and temperature combine with everything.
    private static IEnumerable<PlannedRow> Candidates()
    {
        var waits = Waits.All.DistinctBy(w => (w.Family, w.IsAsync)).ToList();
        var asked = from style in s_styles from temperature in s_temperatures select (style, temperature);
        var apart = from shape in Shapes.All
                    from position in Position.All
                    from wait in waits
                    from clients in s_clients
                    select new PlannedRow(
                        RuntimeSetting.All[0], new Row(0, shape, position, wait, s_styles[0], s_temperatures[0], clients));
        var together = from setting in RuntimeSetting.All
                       from how in asked
                       from shape in Shapes.All
                       from wait in waits
                       select new PlannedRow(setting, new Row(0, shape, Position.All[0], wait, how.style, how.temperature, 1));
        var others = from setting in RuntimeSetting.All
                     from how in asked
                     from position in Position.All
                     from clients in s_clients
                     select new PlannedRow(setting, new Row(0, Shapes.All[0], position, waits[0], how.style, how.temperature, clients));
        return apart.Concat(together).Concat(others).Where(c => c.Row.IsPossible);
    }

    private static PlannedRow? Random(Random random, Pair target)
    {
        var row = new Row(0, Pick(Shapes.All), Pick(Position.All), Pick(Waits.All), Pick(s_styles), Pick(s_temperatures), Pick(s_clients));
        var setting = Pick(RuntimeSetting.All);
        foreach (var piece in new[] { target.One, target.Other })
        {
            (row, setting) = piece switch
            {
                Shape shape => (row with { Shape = shape }, setting),
                Position position => (row with { Position = position }, setting),
                Family family => (row with { Wait = Pick([.. Waits.All.Where(w => w.Family == family)]) }, setting),
                Style style => (row with { Style = style }, setting),
                Temperature temperature => (row with { Temperature = temperature }, setting),
                int clients => (row with { Clients = clients }, setting),
                RuntimeSetting other => (row, other),
                _ => (row, setting),
            };
        }

        return row.IsPossible ? new PlannedRow(setting, row) : null;

        T Pick<T>(IReadOnlyList<T> all) => all[random.Next(all.Count)];
    }

    private static IEnumerable<Pair> Pairs(PlannedRow planned)
    {
        var row = planned.Row;
        object[] pieces = [row.Shape, row.Position, row.Wait.Family, row.Style, row.Temperature, row.Clients, planned.Setting];
        for (var i = 0; i < pieces.Length; i++)
        {
            for (var j = i + 1; j < pieces.Length; j++)
            {
                yield return new Pair(pieces[i], pieces[j]);
            }
        }
    }

    private readonly record struct Pair(object One, object Other);
}
