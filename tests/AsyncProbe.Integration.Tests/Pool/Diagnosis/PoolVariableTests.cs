using AsyncProbe.Pool.Diagnosis;

namespace AsyncProbe.Integration.Tests.Pool.Diagnosis;

/// <summary>Tries the advice for an incident at three in the morning on the real runtime.</summary>
[SideBySide]
public sealed class PoolVariableTests
{
    [Fact]
    public async Task Variable_GivesTheRecommendedThreads_WhateverTheCodeSets()
    {
        var minimum = PoolSetting.Minimum(240, now: 4);
        await using var server = await StartAsync(minimum, "--min-workers", "8");

        (await LimitAsync(server, "min")).ShouldBe(240);
    }

    [Fact]
    public async Task Variable_LiftsAMaximum_ThatTheCodeSets()
    {
        var maximum = PoolSetting.Maximum(now: 16);
        await using var server = await StartAsync(maximum, "--max-workers", "16");

        (await LimitAsync(server, "max")).ShouldBe(maximum.Threads);
    }

    private static Task<ServerProcess> StartAsync(PoolSetting setting, params string[] arguments) =>
        ServerProcess.StartAsync(
            start =>
            {
                var (name, value) = setting.Environment.Split('=') is [var n, var v]
                    ? (n, v)
                    : throw new InvalidOperationException(setting.Environment);
                start.Environment[name] = value;
            },
            arguments);

    private static async Task<int> LimitAsync(ServerProcess server, string limit) =>
        (await server.ReportAsync()).GetProperty("pool").GetProperty("workers").GetProperty(limit).GetInt32();
}
