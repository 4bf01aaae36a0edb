using AsyncProbe.Cli.Comparison;

namespace AsyncProbe.Cli.Views.Documents;

/// <summary>Medians side by side, each later session with its ratio to the first.</summary>
internal static class ComparisonDocument
{
    public static ReportDocument Create(ComparisonResult comparison) => new(
        string.Join(" · ", comparison.Sessions.Select(session => session.Name)),
        [
            new SentencesPart(SentenceStyle.Quiet, ComparisonText.Heading(comparison)) { StartsBlock = true, Place = PartPlace.Head },
            new RateBarsPart(comparison.Sessions) { Place = PartPlace.Head },
            Table(comparison, [.. comparison.Sessions.Skip(1)], isNamed: true) with
            {
                IfTooWide =
                [
                    .. comparison.Sessions.Skip(1).Select(session => Table(comparison, [session], isNamed: true) with
                    {
                        IfTooWide =
                        [
                            Table(comparison, [session], isNamed: false) with
                            {
                                Caption = $"A: {comparison.Sessions[0].Name}, B: {session.Name}",
                            },
                        ],
                    }),
                ],
            },
            new SentencesPart(SentenceStyle.Quiet, ComparisonText.Legend(comparison)),
            new SentencesPart(SentenceStyle.Plain, comparison.Predictions) { StartsBlock = true },
            new SentencesPart(SentenceStyle.Warning, comparison.Warnings)
            {
                StartsBlock = comparison.Predictions.Count == 0,
                Place = PartPlace.Judgement,
            },
            new SentencesPart(SentenceStyle.Strong, comparison.Conclusion)
            {
                StartsBlock = comparison.Predictions.Count + comparison.Warnings.Count == 0,
                Place = PartPlace.Lead,
            },
            new ThresholdsPart(null, comparison.Thresholds) { Place = PartPlace.Judgement },
        ]);

    private static TablePart Table(ComparisonResult comparison, IReadOnlyList<ComparedSession> later, bool isNamed) => new(
        null,
        [
            new(ComparisonText.FirstColumn),
            new(isNamed ? comparison.Sessions[0].Name : "A"),
            .. later.SelectMany(session => new TextColumn[]
            {
                new(isNamed ? session.Name : "B"), new(isNamed ? ComparisonText.Against(comparison) : "B against A", IsText: true),
            }),
        ],
        [.. ComparisonText.Rows(comparison, later)]);
}
