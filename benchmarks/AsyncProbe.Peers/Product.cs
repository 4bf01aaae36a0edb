namespace AsyncProbe.Peers;

internal sealed class Product
{
    public int Id { get; init; }

    public required string Name { get; init; }
}
