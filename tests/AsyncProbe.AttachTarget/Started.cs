namespace Shop;

/// <summary>The lines that the tests wait for. The hosts write different ones, or none without a logger.</summary>
internal static class Started
{
    public static void Report(IEnumerable<string> addresses)
    {
        if (addresses.FirstOrDefault(address => !address.Contains("//unix:", StringComparison.Ordinal)) is { } url)
        {
            Console.WriteLine($"Now listening on: {url}");
        }

        Console.WriteLine("Application started");
    }
}
