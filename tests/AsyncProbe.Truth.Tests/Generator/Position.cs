namespace AsyncProbe.Truth.Tests.Generator;

/// <summary>A piece: what the method does before the statement, and in which context the statement runs.</summary>
/// <param name="Name">A readable name.</param>
/// <param name="Code">The code; <c>$BODY</c> stands for the statement.</param>
/// <param name="Awaits">The number of awaits that suspend.</param>
internal sealed record Position(string Name, string Code, int Awaits)
{
    /// <summary>The last part of the method's name, if the statement is in a separate method.</summary>
    public string? InMethod { get; init; }

    /// <summary>Whether the statement is in a lambda, which the compiler names after the outermost method.</summary>
    public bool IsInLambda => Code.Contains("=>", StringComparison.Ordinal);

    public bool IsTimed => Code.Contains("Delay", StringComparison.Ordinal) || Members.Contains("Delay", StringComparison.Ordinal);

    /// <summary>That method, which contains the body.</summary>
    public string Members { get; init; } = "";

    public bool Equals(Position? other) => other?.Name == Name;

    public override int GetHashCode() => Name.GetHashCode(StringComparison.Ordinal);

    public static IReadOnlyList<Position> All { get; } =
    [
        new("first", "$BODY", 0),
        new("after Task.Delay", "await Task.Delay(3);\n$BODY", 1),
        new("after Task.Yield", "await Task.Yield();\n$BODY", 1),
        new("after library awaits", "await Task.Delay(2).ConfigureAwait(false);\nawait Task.Delay(2).ConfigureAwait(false);\n$BODY", 2),
        new("in Task.Run", "await Task.Run($ASYNC() =>\n{\n$BODY\n});", 1),
        new("in an inner async method", "await Inner();", 1)
        {
            InMethod = "Inner",
            Members = "private static async Task Inner()\n{\nawait Task.Delay(3);\n$BODY\n}",
        },
    ];
}
