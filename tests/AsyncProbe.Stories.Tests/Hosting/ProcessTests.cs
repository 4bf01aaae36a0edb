using System.Globalization;
using System.Text.Json;

namespace AsyncProbe.Stories.Tests.Hosting;

/// <summary>Settings that concern the whole process.</summary>
[SideBySide]
public sealed class ProcessTests
{
    [Fact]
    public async Task MaxWorkerThreads_LimitsThePool_WhenSet()
    {
        await using var sample = await SampleProcess.StartAsync("--Sample:MaxWorkerThreads", "8", "--Sample:Upstream", "false");
        var pool = JsonDocument.Parse(await sample.TextAsync("/_threadpool")).RootElement.GetProperty("pool").GetProperty("workers");

        pool.GetProperty("max").GetInt32().ShouldBe(8);
        pool.GetProperty("min").GetInt32().ShouldBe(8);
        await sample.LineAsync("limited to 8 worker threads");
    }

    [Fact]
    public async Task MaxWorkerThreads_EndsTheStartWithASentence_WhenItIsImpossible()
    {
        var refusal = await Should.ThrowAsync<InvalidOperationException>(() => SampleProcess.StartAsync("--Sample:MaxWorkerThreads", "1"));
        refusal.Message.ShouldContain("Sample:MaxWorkerThreads is '1'");
        refusal.Message.ShouldNotContain("   at ");
    }

    [Fact]
    public async Task ThreadLog_PrintsALineASecond_WhenOn()
    {
        await using var sample = await SampleProcess.StartAsync("--Sample:ThreadLog", "true", "--Sample:Upstream", "false");
        ThreadPool.GetMaxThreads(out _, out var ports);
        await sample.LineAsync("# of threads in use is ");
        await sample.LineAsync($"ports: {ports.ToString(CultureInfo.InvariantCulture)}");
    }
}
