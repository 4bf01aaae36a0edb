namespace AsyncProbe.Cli.Load;

/// <summary>The bearer token that one request captured for all simulated threads.</summary>
internal sealed class SharedAuthorization(string? value = null)
{
    private volatile string? _value = value;

    public string? Value { get => _value; set => _value = value; }
}
