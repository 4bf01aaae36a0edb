namespace AsyncProbe.Faults.Tests;

/// <summary>A fault's row of the table in <c>tests/results/faults.md</c>.</summary>
internal static class PairRow
{
    public static string Of(string name, IReadOnlyCollection<PairOutcome> with, IReadOnlyCollection<PairOutcome> without) =>
        FormattableString.Invariant($"| {name} | {with.Count} | {Died(with)} | {Died(without)} | {with.Count(o => o.IsOurs)} | {Wrong(with)} | {Wrong(without)} | {Recovered(with)} | {Recovered(without)} |");

    private static int Died(IEnumerable<PairOutcome> outcomes) => outcomes.Count(outcome => outcome.HasDied);

    private static string Wrong(IReadOnlyCollection<PairOutcome> outcomes) =>
        FormattableString.Invariant($"{outcomes.Sum(o => o.Wrong)} of {outcomes.Sum(o => o.Answers)}");

    private static string Recovered(IReadOnlyCollection<PairOutcome> outcomes) =>
        FormattableString.Invariant($"{outcomes.Count(o => o.HasRecovered)} of {outcomes.Count(o => !o.HasDied)}");
}
