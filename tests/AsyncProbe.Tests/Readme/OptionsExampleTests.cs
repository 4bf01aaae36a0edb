using System.Text;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;

namespace AsyncProbe.Tests.Readme;

[SideBySide]
public sealed class OptionsExampleTests
{
    [Fact]
    public void Reference_ShowsSettingsThatTheHostTakes_DurationsAmongThem()
    {
        var json = Documents.Blocks("docs/reference.md").Single(block => block.Language == "json").Text;
        using var services = new ServiceCollection()
            .AddSingleton<IConfiguration>(new ConfigurationBuilder().AddJsonStream(new MemoryStream(Encoding.UTF8.GetBytes(json))).Build())
            .AddAsyncProbe().Services.BuildServiceProvider();

        var options = services.GetRequiredService<IOptions<AsyncProbeOptions>>().Value;

        options.QueueingThreshold.ShouldBe(TimeSpan.FromMilliseconds(50));
        options.History.ShouldBe(TimeSpan.FromMinutes(30));
        options.Allow.ShouldHaveSingleItem().MethodPrefix.ShouldBe("Shop.Legacy.");
    }
}
