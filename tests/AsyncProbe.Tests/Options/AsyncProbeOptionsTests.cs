using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;

namespace AsyncProbe.Tests.Options;

/// <summary>A wrong setting stops the host at start, with a sentence that names the option, the value and the range.</summary>
public sealed class AsyncProbeOptionsTests
{
    [Theory]
    [InlineData("MinimumBlocked", "00:02:00", "00:01:00")]
    [InlineData("MaxEndpoints", "0", "1 to 100000")]
    [InlineData("MaxSites", "-1", "1 to 100000")]
    [InlineData("MaxSites", "many", "whole number")]
    [InlineData("Detection", "Sometimes", "Off, WhenBlocking or Always")]
    [InlineData("Enabled", "yes", "true or false")]
    [InlineData("QueueingThreshold", "50ms", "hours:minutes:seconds, for example 00:00:00.050")]
    [InlineData("SampleRate", "10 %", "0.5")]
    [InlineData("MaxWarningsPerHour", "20000", "0 to 10000")]
    [InlineData("QueueingThreshold", "00:00:00", "00:01:00")]
    [InlineData("StarvedThreshold", "00:00:00.010", "QueueingThreshold")]
    [InlineData("History", "00:00:01", "00:00:10")]
    [InlineData("ManagementPort", "70000", "1 to 65535")]
    [InlineData("LifelinePort", "0", "1 to 65535")]
    [InlineData("SampleRate", "0", "above 0 and up to 1")]
    [InlineData("ActivitySources", "MassTransit", "AsyncProbe:ActivitySources:0 (in the environment, AsyncProbe__ActivitySources__0)")]
    [InlineData("Allow", "Shop.Legacy.", "AsyncProbe:Allow:0")]
    public async Task Start_NamesOptionAndWhatIsAllowed_WhenAValueIsWrong(string option, string value, string range)
    {
        var error = await StartWithAsync(option, value);

        error.ShouldContain("AsyncProbe:" + option);
        error.ShouldContain(range);
    }

    [Fact]
    public async Task Start_NamesTheOption_WhenItIsMisspelt()
    {
        var error = await StartWithAsync("MinimumBlockd", "00:00:01");

        error.ShouldContain("AsyncProbe:MinimumBlockd (value '00:00:01')");
        error.ShouldContain("MinimumBlocked");
    }

    // As an operator types them: without a unit, in words, and as an environment variable.
    [Theory]
    [InlineData("MinimumBlocked", "5", "AsyncProbe:MinimumBlocked is 5.00:00:00")]
    [InlineData("MinimumBlocked", "5 ms", "5 ms")]
    [InlineData("Enabled", "yes", "yes")]
    [InlineData("LifelinePort", "tcp://10.0.0.1:80", "tcp://10.0.0.1:80")]
    [InlineData("SampleRate", "10 %", "10 %")]
    [InlineData("StackSnapshot:Interval", "00:00:01", "AsyncProbe:StackSnapshot (value '')")]
    public async Task Start_NamesKeyAndValue_WhenTheEnvironmentSaysWhatNoOptionTakes(string option, string value, string told)
    {
        // No other code reads variables with this prefix.
        var variable = $"ASYNCPROBE_TESTS_{Guid.NewGuid():N}_";
        var name = variable + "AsyncProbe__" + option.Replace(":", "__", StringComparison.Ordinal);
        Environment.SetEnvironmentVariable(name, value);
        try
        {
            var error = await Should.ThrowAsync<OptionsValidationException>(async () =>
            {
                await using var app = await ProbedApp.StartAsync(
                    _ => { }, configure: b => b.Configuration.AddEnvironmentVariables(variable));
            });

            error.Message.ShouldContain("AsyncProbe:" + option.Split(':')[0]);
            error.Message.ShouldContain(told);
        }
        finally
        {
            Environment.SetEnvironmentVariable(name, null);
        }
    }

    [Fact]
    public async Task Start_SaysThatItIsASection_WhenItHasAValue()
    {
        var error = await Should.ThrowAsync<OptionsValidationException>(async () =>
        {
            await using var app = await ProbedApp.StartAsync(_ => { }, configure: b => b.Configuration["AsyncProbe"] = "false");
        });

        error.Message.ShouldContain("set to 'false'");
        error.Message.ShouldContain("AsyncProbe:Enabled");
    }

    [Fact]
    public async Task Start_AsksForAReason_WhenAnAllowRuleHasNone() =>
        (await StartWithAsync("Allow:0:MethodPrefix", "Shop.Legacy.")).ShouldContain("AsyncProbe:Allow:0");

    [Fact]
    public async Task Disabled_InstallsNothing()
    {
        await using var app = await ProbedApp.StartAsync(
            a => a.MapGet("/plain", (HttpContext context) => context.Features.Get<IAsyncProbeFeature>() is null),
            configure: b => b.Configuration["AsyncProbe:Enabled"] = "false");

        var response = await app.GetAsync("/plain");

        (await response.Content.ReadAsStringAsync()).ShouldBe("true");
        response.Headers.Contains("X-ThreadPool-Available-Workers").ShouldBeFalse();
    }

    [Fact]
    public async Task Code_WinsOverConfiguration()
    {
        await using var app = await ProbedApp.StartAsync(
            a => a.MapGet("/plain", () => "plain"),
            configure: b =>
            {
                b.Configuration["AsyncProbe:EmitHeaders"] = "true";
                b.Services.AddAsyncProbe(o => o.EmitHeaders = false);
            });

        (await app.GetAsync("/plain")).Headers.Contains("X-ThreadPool-Available-Workers").ShouldBeFalse();
    }

    [Fact]
    public void Use_NamesTheMissingCall_WhenAddWasForgotten()
    {
        var app = WebApplication.CreateSlimBuilder().Build();

        Should.Throw<InvalidOperationException>(() => app.UseAsyncProbe()).Message.ShouldContain("AddAsyncProbe()");
        Should.Throw<InvalidOperationException>(() => app.MapAsyncProbe()).Message.ShouldContain("AddAsyncProbe()");
    }

    [Fact]
    public async Task SecondUse_DoesNothing()
    {
        await using var app = await ProbedApp.StartAsync(a =>
        {
            a.UseAsyncProbe();
            a.MapGet("/plain", () => "plain");
        });

        var response = await app.GetAsync("/plain");

        response.Headers.GetValues("Server-Timing").Count().ShouldBe(1);
        (await app.EndpointAsync("GET /plain")).Count("requests").ShouldBe(1);
    }

    private static async Task<string> StartWithAsync(string option, string value)
    {
        var error = await Should.ThrowAsync<OptionsValidationException>(async () =>
        {
            await using var app = await ProbedApp.StartAsync(_ => { }, configure: b => b.Configuration["AsyncProbe:" + option] = value);
        });
        return error.Message;
    }
}
