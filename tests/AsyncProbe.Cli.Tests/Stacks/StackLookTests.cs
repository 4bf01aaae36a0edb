using AsyncProbe.Cli.Processes;
using AsyncProbe.Cli.Server;
using AsyncProbe.Cli.Stacks;

namespace AsyncProbe.Cli.Tests.Stacks;

[Trait("Category", "Logic")]
public class StackLookTests
{
    /// <summary>Their addresses have four bytes, so the command would see none of their stacks and no blocked thread.</summary>
    [Theory]
    [InlineData("x86")]
    [InlineData("arm32")]
    public void ProcessWithSmallAddresses_IsRefused(string architecture)
    {
        var process = new DotnetProcess
        {
            Entry = new() { Pid = 1, OwnPid = 1, StartTime = "0" },
            Runtime = new(1, "/no/such/socket"),
            Info = new() { Name = "Shop", RuntimeVersion = "10.0.0", Architecture = architecture },
        };

        Should.Throw<ProcessException>(() => new StackLook(process).Take(TimeSpan.FromSeconds(1), CancellationToken.None))
            .Message.ShouldContain("32-bit");
    }

    /// <summary>Otherwise all threads in native code would look idle, and therefore blocked.</summary>
    [Fact]
    public void RunnableTime_IsUnknown_WhenTheKernelKeepsNoStatistics()
    {
        RunnableTime.Parse("0 0 0\n").ShouldBeNull();
        RunnableTime.Parse("1500000 500000 3\n").ShouldBe(TimeSpan.FromMilliseconds(2));
    }
}
