using AsyncProbe.Blocking;
using AsyncProbe.TestServer;

namespace AsyncProbe.Tests.Blocking;

/// <summary>Places that the runtime tells too early.</summary>
[Trait(Logic.Category, Logic.Name)]
public sealed class LaterCallTests
{
    private static readonly Frames s_frames = new(OwnCode.Of([typeof(LaterCalls).Assembly.GetName().Name!]));

    [Theory]
    [InlineData(typeof(Thread), nameof(LaterCalls.Join))]
    [InlineData(typeof(WaitHandle), nameof(LaterCalls.WaitOne))]
    [InlineData(typeof(Lock), nameof(LaterCalls.EnterScope))]
    public void Line_IsTheCalls_WhenTheRuntimeTellsTheStatementBefore(Type type, string method) => LineOf(method, type, method).ShouldBe(Marked(method));

    [Fact]
    public void Line_IsTheToldOne_WhenItsStatementCallsWhatMayHaveVanished() =>
        LineOf(nameof(LaterCalls.Vanished), typeof(Task), nameof(Task.Wait)).ShouldBe(Marked(nameof(LaterCalls.Vanished)));

    [Fact]
    public void Join_IsAJoin_WhenOnlyItsMarshallingIsLeftOnTheStack() => KindRules.Of(typeof(Thread), "<Join>g____PInvoke|36_0").ShouldBe(WaitKind.Join);

    private static int? LineOf(string caller, Type type, string call) =>
        new SiteFrame(s_frames.Of(Stacks.Method(typeof(LaterCalls), caller)), 0, s_frames.Of(Stacks.Method(type, call)), s_frames).Line?.Line;

    private static int Marked(string name) =>
        1 + Array.FindIndex(
            File.ReadAllLines(Path.Combine(Repository.Folder, "tests", "AsyncProbe.TestServer", "LaterCalls.cs")), l => l.EndsWith("// waits: " + name, StringComparison.Ordinal));
}
