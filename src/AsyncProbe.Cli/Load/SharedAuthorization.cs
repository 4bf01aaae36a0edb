namespace AsyncProbe.Cli.Load;

/// <summary>The bearer token that one request captured for all simulated threads.</summary>
internal sealed class SharedAuthorization
{
    private volatile string? _value;

    public string? Value { get => _value; set => _value = value; }
}
