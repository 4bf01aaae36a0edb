using System.Runtime.CompilerServices;

namespace AsyncProbe.Blocking.Sites;

/// <summary>The rules for allowed waits, and which rules still match anything.</summary>
internal sealed class AllowRules(IEnumerable<AllowRule> rules)
{
    private readonly (AllowRule Rule, StrongBox<bool> IsUsed)[] _rules = [.. rules.Select(rule => (rule, new StrongBox<bool>()))];

    /// <summary>The methods of the rules that have matched nothing since startup.</summary>
    public IReadOnlyList<string> Stale => [.. _rules.Where(r => !Volatile.Read(ref r.IsUsed.Value)).Select(r => r.Rule.MethodPrefix)];

    /// <param name="method">The call site's name with its namespace.</param>
    public string? ReasonFor(string method)
    {
        string? reason = null;
        foreach (var (rule, isUsed) in _rules)
        {
            if (method.StartsWith(rule.MethodPrefix, StringComparison.Ordinal))
            {
                // Every matching rule counts as used; the first one gives the reason.
                Volatile.Write(ref isUsed.Value, true);
                reason ??= rule.Reason;
            }
        }

        return reason;
    }
}
