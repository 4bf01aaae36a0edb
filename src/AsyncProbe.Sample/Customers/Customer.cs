namespace AsyncProbe.Sample.Customers;

/// <summary>A customer.</summary>
public sealed record Customer(int Id, string Name, string City)
{
    internal static IReadOnlyList<Customer> All { get; } =
    [
        new(1, "Alpine Outfitters", "Innsbruck"), new(2, "Bay Kayaks", "Auckland"), new(3, "Canyon Supplies", "Moab"),
        new(4, "Dune Travel", "Walvis Bay"),
    ];
}
