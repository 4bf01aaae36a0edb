namespace AsyncProbe.Sample.Customers;

/// <summary>Work that keeps a core busy without waiting.</summary>
/// <param name="Count">The number of sums.</param>
/// <param name="Sum">Their total, so that the compiler can't remove the work.</param>
public sealed record RandomSums(int Count, double Sum)
{
    private const int Sums = 1_000_000;

    internal static RandomSums Compute()
    {
        var random = new Random();
        var sum = 0.0;
        for (var i = 0; i < Sums; i++)
        {
            sum += random.NextDouble() + random.NextDouble();
        }

        return new RandomSums(Sums, sum);
    }
}
