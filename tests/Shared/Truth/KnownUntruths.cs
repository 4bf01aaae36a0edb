using System.Text.RegularExpressions;

namespace AsyncProbe.Tests.Truth;

/// <summary>
/// A wrong answer that is known and not fixed yet. It is listed by name, so that the tests pass while everything else is judged, and so
/// that they fail when it becomes right or a different one goes wrong.
/// </summary>
/// <param name="Endpoints">The endpoints: a regular expression that their name or note must match.</param>
/// <param name="Aspect">What is wrong.</param>
/// <param name="Reason">The reason, and what a fix needs.</param>
internal sealed record KnownUntruth(string Endpoints, Aspect Aspect, string Reason)
{
    /// <summary>Whether it happens only in some runs, so that its absence means nothing.</summary>
    public bool IsByChance { get; init; }

    /// <summary>Words of the expected answer; empty for any.</summary>
    public string Expected { get; init; } = "";

    public bool Covers(Finding finding) =>
        finding.Aspect == Aspect && finding.Expected.Contains(Expected, StringComparison.Ordinal)
            && (Regex.IsMatch(finding.Endpoint, Endpoints) || Regex.IsMatch(finding.Note, Endpoints));
}

internal static class KnownUntruths
{
    /// <summary>
    /// How many findings of one run may be unlisted. The goal is zero. Until all rows that go wrong in one run of several are found and
    /// fixed, a single one must not reject an unrelated change. Each one is printed, and over all settings of the
    /// generated endpoints the shares of right answers have separate lower bounds.
    /// </summary>
    public const int UnlistedByChance = 2;

    /// <returns>Findings that are not listed, and listed ones that are no longer wrong.</returns>
    public static (IReadOnlyList<Finding> Unknown, IReadOnlyList<KnownUntruth> Mended) Apart(
        IEnumerable<Finding> findings, IReadOnlyCollection<KnownUntruth> known)
    {
        var all = findings.ToList();
        return ([.. all.Where(f => !known.Any(k => k.Covers(f)))], [.. known.Where(k => !k.IsByChance && !all.Any(k.Covers))]);
    }
}
