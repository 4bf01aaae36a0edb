using AsyncProbe.Blocking.Kinds;

namespace AsyncProbe.Cli.Sites;

/// <summary>A kind of wait as a rule for tools that show findings. Created from the server's own table of kinds.</summary>
/// <param name="Id">Stable, because alerts and suppressions refer to it.</param>
/// <param name="Name">A single word that must differ from the id.</param>
/// <param name="Kind">The kind's name in the report.</param>
/// <param name="Remedy">What to write instead, as a sentence.</param>
internal sealed record WaitRule(string Id, string Name, string Kind, string Remedy)
{
    private static readonly Dictionary<string, WaitRule> s_rules =
        Enum.GetValues<WaitKind>().Select(Create).ToDictionary(rule => rule.Kind, StringComparer.Ordinal);

    private static readonly WaitRule s_other = s_rules[WaitKind.Other.Name()];

    public static IReadOnlyCollection<WaitRule> All => s_rules.Values;

    /// <summary>A kind that only a newer server knows counts as "other".</summary>
    public static WaitRule Get(string kind) => s_rules.GetValueOrDefault(kind, s_other);

    private static WaitRule Create(WaitKind kind) =>
        new(kind.Help() ?? "other", "Blocking" + kind, kind.Name(), char.ToUpperInvariant(kind.Remedy()[0]) + kind.Remedy()[1..] + ".");
}
