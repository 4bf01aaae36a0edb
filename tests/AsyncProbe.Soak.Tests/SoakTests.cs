using Xunit.Abstractions;

namespace AsyncProbe.Soak.Tests;

/// <summary>The soak of benchmarks/soak, for three minutes instead of thirty.</summary>
public sealed class SoakTests(ITestOutputHelper output)
{
    [Fact]
    public async Task Server_LosesNothing_CountsAll_AndDoesNotGrow_UnderEveryKindOfLoad()
    {
        var result = await SoakRun.RunAsync(TimeSpan.FromMinutes(3), output.WriteLine).WaitAsync(TimeSpan.FromMinutes(8));

        output.WriteLine(SoakTable.Of(result));
        result.Compared.ShouldBeGreaterThan(1000);
        result.Faults.ShouldBeEmpty();
    }
}
