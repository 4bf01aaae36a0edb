namespace AsyncProbe.Sample.Customers;

/// <summary>Work that keeps a core busy and waits for nothing.</summary>
/// <param name="Count">How many sums were made.</param>
/// <param name="Sum">Their total, so that nobody can leave the work out.</param>
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
