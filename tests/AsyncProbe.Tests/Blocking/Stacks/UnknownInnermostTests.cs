using System.Linq.Expressions;
using System.Reflection;
using System.Runtime.InteropServices;
using System.Text;
using AsyncProbe.Blocking.Code;
using AsyncProbe.Blocking.Kinds;
using AsyncProbe.Blocking.Stacks;

namespace AsyncProbe.Tests.Blocking.Stacks;

/// <summary>What the innermost frame of a sampled stack says about a wait without a managed wait method.</summary>
[Trait(Logic.Category, Logic.Name)]
public sealed partial class UnknownInnermostTests
{
    private static readonly ManualResetEvent s_event = new(initialState: true);

    [Theory]
    [InlineData(nameof(CallsNativeCode))]
    [InlineData(nameof(WaitTwice))]
    [InlineData(nameof(Reads))]
    public void Sample_IsNoEvidence_WhenItsInnermostFrameIsUnknown(string method) => Find(method, InnermostFrame.Unknown).ShouldBeNull();

    // The runtime stops threads for samples and collections, whatever they are doing. Allocating a string isn't a wait.
    [Theory]
    [InlineData(nameof(Allocates))]
    [InlineData(nameof(Interpolates))]
    [InlineData(nameof(CallsTheRuntime))]
    [InlineData(nameof(Reads))]
    public void Sample_IsNoEvidence_WhenItsInnermostMethodCallsNoNativeCode(string method) =>
        Find(method, InnermostFrame.Method).ShouldBeNull();

    [Theory]
    [InlineData(nameof(CallsNativeCode))]
    [InlineData(nameof(CallsWhatCallsNativeCode))]
    public void Sample_IsNative_WhenItsInnermostMethodCallsNativeCode(string method) =>
        Find(method, InnermostFrame.Method).ShouldNotBeNull().Kind.ShouldBe(WaitKind.Native);

    // One hit accused File.ReadAllText, which had read the file and was building the text.
    [Fact]
    public void Sample_IsNoEvidence_WhenALibraryAllocatesBeneathAStatementThatMayWait()
    {
        var expand = HandMadeStacks.Method(typeof(StringBuilder), "ExpandByABlock");
        var waits = typeof(UnknownInnermostTests).GetMethod(nameof(WaitOnce), BindingFlags.NonPublic | BindingFlags.Static)!;

        BlameFrame.Find(Sample(InnermostFrame.Method, expand, waits), HandMadeStacks.Frames, handler: null).ShouldBeNull();
    }

    [Fact]
    public void Sample_IsNative_WhenItsInnermostFrameIsWhatTheRuntimeMakesForACall() =>
        Find(nameof(Allocates), InnermostFrame.NativeCall).ShouldNotBeNull().Kind.ShouldBe(WaitKind.Native);

    [Fact]
    public void Sample_IsNoEvidence_WhenTheNativeCodeIsTheRuntimesOwn()
    {
        var compile = typeof(RuntimeTypeHandle).GetMethods(BindingFlags.NonPublic | BindingFlags.Public | BindingFlags.Static
            | BindingFlags.Instance).First(NativeCalls.AreTheRuntimes);
        var sample = Sample(InnermostFrame.NativeCall, compile, HandMadeStacks.Own);

        BlameFrame.Find(sample, HandMadeStacks.Frames, handler: null).ShouldBeNull();
    }

    [Theory]
    [InlineData(InnermostFrame.Unknown)]
    [InlineData(InnermostFrame.Method)]
    public void Sample_IsTheOnlyWaitOfItsStatement_WhenItsInnermostMethodIsUnknown_OrTheApplications(object innermost)
    {
        var found = Find(nameof(WaitOnce), (InnermostFrame)innermost).ShouldNotBeNull();

        found.ToSiteFrame(HandMadeStacks.Frames).Refine(found.Kind).ShouldBe(WaitKind.WaitHandle);
    }

    // The code that a compiled call runs may have no name, but the call itself waits for nothing.
    [Theory]
    [InlineData(InnermostFrame.Unknown, true)]
    [InlineData(InnermostFrame.Method, false)]
    public void Sample_IsTheOnlyWaitOfItsStatement_WhenWhatACompiledCallRunsIsUnknown(object innermost, bool expected)
    {
        var argument = Expression.Parameter(typeof(object));
        var arguments = Expression.Parameter(typeof(object[]));
        var call = Expression.Lambda<Func<object, object[], object?>>(Expression.Constant(null), argument, arguments).Compile().Method;
        var waits = HandMadeStacks.Method(typeof(UnknownInnermostTests), nameof(WaitOnce));

        var found = BlameFrame.Find(Sample((InnermostFrame)innermost, call, waits), HandMadeStacks.Frames, handler: null);

        (found?.At.Method == waits).ShouldBe(expected);
    }

    private static BlameFrame? Find(string name, InnermostFrame innermost) =>
        BlameFrame.Find(
            Sample(innermost, typeof(UnknownInnermostTests).GetMethod(name, BindingFlags.NonPublic | BindingFlags.Static)!),
            HandMadeStacks.Frames, handler: null);

    private static StackSample Sample(InnermostFrame innermost, params MethodBase[] methods) => new()
    {
        OsThreadId = 1,
        Frames = [.. methods.Select(m => new SampledFrame { Method = m, IlOffset = 0 })],
        Innermost = innermost,
    };

    private static byte[] Allocates() => new byte[200 + Environment.ProcessorCount];

    private static string Interpolates() => $"/blog/{Environment.ProcessorCount}/";

    private static List<int> CallsTheRuntime() => Activator.CreateInstance<List<int>>();

    private static string Reads() => File.ReadAllText("/proc/version");

    private static void CallsNativeCode() => Sleep(1);

    private static void CallsWhatCallsNativeCode() => CallsNativeCode();

    private static void WaitOnce() => s_event.WaitOne();

    private static bool WaitTwice() => s_event.WaitOne() && Task.CompletedTask.Wait(1);

    [LibraryImport("libc", EntryPoint = "usleep")]
    private static partial void Sleep(uint microseconds);
}
