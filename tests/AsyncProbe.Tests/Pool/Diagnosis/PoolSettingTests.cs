using AsyncProbe.Pool.Diagnosis;

namespace AsyncProbe.Tests.Pool.Diagnosis;

/// <summary>What is advised at three in the morning, as text. That the runtime does so is tried in processes of their own.</summary>
[Trait(Logic.Category, Logic.Name)]
public sealed class PoolSettingTests
{
    [Fact]
    public void Code_IsWhatTheRuntimeTakes()
    {
        // The call itself would change the pool of the process that runs the tests.
        var minimum = PoolSetting.Minimum(240, now: 4);
        (minimum.Environment, minimum.Code).ShouldBe(("DOTNET_ThreadPool_ForceMinWorkerThreads=F0", "ThreadPool.SetMinThreads(240, 240)"));
    }
}
