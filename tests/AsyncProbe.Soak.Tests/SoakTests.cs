using Xunit.Abstractions;

namespace AsyncProbe.Soak.Tests;

/// <summary>The soak of benchmarks/soak, in five cycles of twelve seconds instead of ten of three minutes.</summary>
public sealed class SoakTests(ITestOutputHelper output)
{
    [Fact]
    public async Task Server_LosesNothing_CountsAll_AndDoesNotGrow_UnderEveryKindOfLoad()
    {
        var result = await SoakRun.RunAsync(TimeSpan.FromSeconds(60), cycles: 5, output.WriteLine).WaitAsync(TimeSpan.FromMinutes(8));

        output.WriteLine(SoakTable.Of(result));
        result.Compared.ShouldBeGreaterThan(1000);
        result.Faults.ShouldBeEmpty();
    }
}
