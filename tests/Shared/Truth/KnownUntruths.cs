using System.Text.RegularExpressions;

namespace AsyncProbe.Tests.Truth;

/// <summary>
/// An untruth that is known and not mended yet. Listed by name, so that the tests can be green while everything else is judged, and so
/// that they fail when it becomes right or another one goes wrong.
/// </summary>
/// <param name="Endpoints">Which endpoints: a regular expression that their name or note must match.</param>
/// <param name="Aspect">What is wrong.</param>
/// <param name="Reason">Why, and what is needed.</param>
internal sealed record KnownUntruth(string Endpoints, Aspect Aspect, string Reason)
{
    /// <summary>Whether it happens in some runs only, so that its absence is no news.</summary>
    public bool IsByChance { get; init; }

    /// <summary>Words of what was expected; none for anything.</summary>
    public string Expected { get; init; } = "";

    public bool Covers(Finding finding) =>
        finding.Aspect == Aspect && finding.Expected.Contains(Expected, StringComparison.Ordinal)
            && (Regex.IsMatch(finding.Endpoint, Endpoints) || Regex.IsMatch(finding.Note, Endpoints));
}

internal static class KnownUntruths
{
    /// <summary>
    /// How many findings of one run may be unlisted. The bar is none; until the rows that go wrong in one run of several are all found and
    /// mended, a single one must not refuse a change that has nothing to do with it. Each is printed, and over all settings of the
    /// generated endpoints the shares of right answers have a lower bound of their own.
    /// </summary>
    public const int UnlistedByChance = 2;

    /// <returns>What is wrong and not listed, and what is listed and no longer wrong.</returns>
    public static (IReadOnlyList<Finding> Unknown, IReadOnlyList<KnownUntruth> Mended) Apart(
        IEnumerable<Finding> findings, IReadOnlyCollection<KnownUntruth> known)
    {
        var all = findings.ToList();
        return ([.. all.Where(f => !known.Any(k => k.Covers(f)))], [.. known.Where(k => !k.IsByChance && !all.Any(k.Covers))]);
    }
}
