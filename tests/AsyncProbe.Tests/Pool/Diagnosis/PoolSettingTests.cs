using AsyncProbe.Pool.Diagnosis;

namespace AsyncProbe.Tests.Pool.Diagnosis;

/// <summary>The advice for an incident at three in the morning, as text. Separate processes test that the runtime obeys it.</summary>
[Trait(Logic.Category, Logic.Name)]
public sealed class PoolSettingTests
{
    [Fact]
    public void Code_IsWhatTheRuntimeTakes()
    {
        // Calling it would change the pool of the process that runs the tests.
        var minimum = PoolSetting.Minimum(240, now: 4);
        (minimum.Environment, minimum.Code).ShouldBe(("DOTNET_ThreadPool_ForceMinWorkerThreads=F0", "ThreadPool.SetMinThreads(240, 240)"));
    }
}
