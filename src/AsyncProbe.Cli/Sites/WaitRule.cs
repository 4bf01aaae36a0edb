using AsyncProbe.Blocking.Stacks;

namespace AsyncProbe.Cli.Sites;

/// <summary>What tools that show findings call a kind of wait. Made of the server's own table of kinds.</summary>
/// <param name="Id">Stable: alerts and suppressions go by it.</param>
/// <param name="Name">In one word, which must not be the id's.</param>
/// <param name="Kind">As the report names it.</param>
/// <param name="Remedy">What to write instead, as a sentence.</param>
internal sealed record WaitRule(string Id, string Name, string Kind, string Remedy)
{
    private static readonly Dictionary<string, WaitRule> s_rules =
        Enum.GetValues<WaitKind>().Select(Create).ToDictionary(rule => rule.Kind, StringComparer.Ordinal);

    private static readonly WaitRule s_other = s_rules[WaitKind.Other.Name()];

    public static IReadOnlyCollection<WaitRule> All => s_rules.Values;

    /// <summary>A kind that only a newer server knows is another wait.</summary>
    public static WaitRule Get(string kind) => s_rules.GetValueOrDefault(kind, s_other);

    private static WaitRule Create(WaitKind kind) =>
        new(kind.Help() ?? "other", "Blocking" + kind, kind.Name(), char.ToUpperInvariant(kind.Remedy()[0]) + kind.Remedy()[1..] + ".");
}
