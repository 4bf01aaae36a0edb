using Xunit.Abstractions;

namespace AsyncProbe.Soak.Tests;

/// <summary>The soak of benchmarks/soak, with fewer and shorter cycles than its ten of three minutes.</summary>
public sealed class SoakTests(ITestOutputHelper output)
{
    // Too short to say anything about memory: caches and the pool are still filling.
    [Fact]
    public async Task Server_LosesNothing_AndCountsAll_UnderEveryKindOfLoad()
    {
        var result = await RunAsync(TimeSpan.FromSeconds(12), cycles: 2);

        result.Compared.ShouldBeGreaterThan(100);
        result.Errors.ShouldBeEmpty();
    }

    [Fact]
    [Trait("Category", "Full")]
    public async Task Server_LosesNothing_CountsAll_AndDoesNotGrow_UnderEveryKindOfLoad()
    {
        var result = await RunAsync(TimeSpan.FromSeconds(60), cycles: 5);

        result.Compared.ShouldBeGreaterThan(1000);
        result.Faults.ShouldBeEmpty();
    }

    private async Task<SoakResult> RunAsync(TimeSpan length, int cycles)
    {
        var result = await SoakRun.RunAsync(length, cycles, output.WriteLine).WaitAsync(TimeSpan.FromMinutes(8));
        output.WriteLine(SoakTable.Of(result));
        return result;
    }
}
