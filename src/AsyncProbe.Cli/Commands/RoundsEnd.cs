namespace AsyncProbe.Cli.Commands;

/// <summary>How the rounds of a comparison ended.</summary>
/// <param name="IsEarly">Whether rounds are missing.</param>
/// <param name="Failure">The exit code and why a round could not run; null when all ran, or a user interrupted them.</param>
internal sealed record RoundsEnd(bool IsEarly, (int Code, string? Why)? Failure = null)
{
    public static RoundsEnd Complete { get; } = new(IsEarly: false);

    public static RoundsEnd Interrupted { get; } = new(IsEarly: true);

    public static RoundsEnd Failed(int code, string why) => new(IsEarly: true, (code, why));
}
