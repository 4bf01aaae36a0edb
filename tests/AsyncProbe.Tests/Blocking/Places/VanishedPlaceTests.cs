using System.Reflection;
using AsyncProbe.Blocking.Code;
using AsyncProbe.Blocking.Kinds;
using AsyncProbe.Blocking.Stacks;
using AsyncProbe.Tests.Blocking.Stacks;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.StaticFiles;
using Microsoft.EntityFrameworkCore;
using static AsyncProbe.Tests.Blocking.Stacks.HandMadeStacks;

namespace AsyncProbe.Tests.Blocking.Places;

/// <summary>Which place waits in optimised code: the method that does may have been inlined into the one on the stack.</summary>
[Trait(Logic.Category, Logic.Name)]
public sealed class VanishedPlaceTests
{
    private static readonly MethodBase s_sleep = Method(typeof(Thread), nameof(Thread.Sleep));
    private static readonly MethodBase s_wait = Method(typeof(Task), nameof(Task.Wait));
    private static readonly MethodBase s_handler = Method(typeof(Vanishing), nameof(Vanishing.Handler));

    [Fact]
    public void Place_IsTheMethodThatVanished_WithTheLineOfItsCall()
    {
        var place = Place(nameof(Vanishing.Outer), s_sleep);

        place.Frame.MethodName.ShouldBe("Inner");
        place.Line!.File.ShouldEndWith("VanishedPlaceTests.cs");
        place.Line.Line.ShouldBe(LineOf("Inner"));
    }

    [Fact]
    public void Place_IsTheOverride_WhenOnlyOneWaitsSo()
    {
        Place(nameof(Vanishing.Virtual), s_sleep).Frame.ShortName.ShouldBe("VanishedPlaceTests.Sleeping.Core");
        Place(nameof(Vanishing.Virtual), s_wait).Frame.MethodName.ShouldBe(nameof(Vanishing.Virtual));
    }

    // Two classes inherit the only implementation.
    [Fact]
    public void Place_IsTheImplementation_HoweverManyInheritIt() =>
        Place(nameof(Vanishing.Inherited), s_sleep).Frame.ShortName.ShouldBe("VanishedPlaceTests.Client.Execute");

    // The application hides EF Core's context behind an interface of its own, and the runtime reports the start of the method.
    [Fact]
    public void Line_IsThatOfTheInterfaceCall_WhenTheClassInheritsTheMethod()
    {
        var frames = HandMadeStacks.Frames;
        var save = frames.Get(Method(typeof(DbContext), nameof(DbContext.SaveChangesAsync)));

        var place = new SiteFrame(frames.Get(Method(typeof(Vanishing), nameof(Vanishing.Saves))), 0, save, frames);

        place.Line.ShouldNotBeNull().Line.ShouldBe(LineOf("Saves"));
    }

    // An event waits on a monitor inside. Its wait and the method that calls it were inlined, and the statement was reported as the place.
    [Fact]
    public void Place_IsTheMethodThatWaitsForAnEvent_WhenOnlyTheEventsMonitorIsLeft()
    {
        var place = Place(nameof(Vanishing.CallsWhatWaitsForAnEvent), Method(typeof(Monitor), nameof(Monitor.Wait)));

        place.Frame.MethodName.ShouldBe(nameof(Vanishing.WaitsForAnEvent));
        place.Refine(WaitKind.MonitorWait).ShouldBe(WaitKind.WaitHandle);
    }

    [Fact]
    public void Place_IsTheMethodOnTheStack_WhenItsStatementMakesTheCall() =>
        Place(nameof(Vanishing.Handler), s_sleep).Frame.MethodName.ShouldBe(nameof(Vanishing.Handler));

    [Fact]
    public void Handler_HasNoLine_WhenNobodyCanTellWhichOfItsCallsWaits()
    {
        var frames = HandMadeStacks.Frames;
        var place = new SiteFrame(
            frames.Get(Method(typeof(Vanishing), nameof(Vanishing.Twice))), SiteFrame.Unknown, frames.Get(s_sleep), frames);

        place.Frame.MethodName.ShouldBe(nameof(Vanishing.Twice));
        place.Line.ShouldBeNull();
    }

    // Two methods that it calls may wait, and it doesn't wait itself.
    [Fact]
    public void Place_IsCodeThatTheMethodCalls_WhenSeveralOfThemMayWait()
    {
        var frames = HandMadeStacks.Frames;
        var place = new SiteFrame(
            frames.Get(Method(typeof(Vanishing), nameof(Vanishing.CallsBoth))), SiteFrame.Unknown, frames.Get(s_sleep), frames);

        place.Text.ShouldBe("code called by VanishedPlaceTests.Vanishing.CallsBoth");
    }

    [Fact]
    public void Place_IsTheOnlyLineOfTheMethodOnTheStack_WhicheverMethodWaits()
    {
        var frames = HandMadeStacks.Frames;
        var place = new SiteFrame(
            frames.Get(Method(typeof(Vanishing), nameof(Vanishing.CallsBothInALine))), SiteFrame.Unknown, frames.Get(s_sleep), frames);

        place.Line.ShouldNotBeNull().Line.ShouldBe(LineOf("CallsBothInALine"));
    }

    // The wait was in the delegate, which was inlined. The advice was to await the task of a statement that has none.
    [Fact]
    public void Statement_HasNothingToAwait_WhenOnlyADelegatesCodeWaits()
    {
        var place = Place(nameof(Vanishing.RunsADelegate), Method(typeof(Task<int>), "GetResultCore"));

        place.Line.ShouldNotBeNull();
        place.WaitsItself.ShouldBeFalse();
        place.FindAwaitable(WaitKind.TaskResult, via: null).ShouldBeNull();
    }

    // The file is closed after its length was read, and the runtime reports the statement that returns.
    [Fact]
    public void Line_IsThatOfTheDisposal_WhenTheReturnedPropertyDoesNotWait()
    {
        var frames = HandMadeStacks.Frames;
        var method = Method(typeof(Vanishing), nameof(Vanishing.ReturnsTheLength));
        var length = MethodCode.Get(method).Calls.Single(call => call.Target.Name == "get_Length").Offset;
        var release = frames.Get(Method(typeof(Microsoft.Win32.SafeHandles.SafeFileHandle), "ReleaseHandle"));

        var place = new SiteFrame(frames.Get(method), length, release, frames);

        place.Line?.Line.ShouldBe(LineOf("ReturnsTheLength"));
    }

    // A logger's call in the method itself was passed over for one in an override that the reported statement may run.
    [Fact]
    public void Place_IsTheMethodOnTheStack_WhenItMakesTheLibrarysCallItself()
    {
        var frames = HandMadeStacks.Frames;
        var method = Method(typeof(Vanishing), nameof(Vanishing.BuildsAndPurges));
        var build = MethodCode.Get(method).Calls[0].Offset;
        var purge = frames.Get(Method(typeof(Dapper.SqlMapper), nameof(Dapper.SqlMapper.PurgeQueryCache)));

        var place = new SiteFrame(frames.Get(method), build, purge, frames);

        place.Frame.MethodName.ShouldBe(nameof(Vanishing.BuildsAndPurges));
    }

    // Process.WaitForExit waits on a handle inside, and only that is on the stack.
    [Fact]
    public void Awaitable_IsThatOfTheStatement_WhenOnlyWhatItWaitsWithIsOnTheStack()
    {
        var frames = HandMadeStacks.Frames;
        var method = Method(typeof(Vanishing), nameof(Vanishing.WaitsForAProcess));
        var wait = frames.Get(Method(typeof(WaitHandle), "WaitOneNoCheck"));

        new SiteFrame(frames.Get(method), MethodCode.Get(method).Calls[0].Offset, wait, frames)
            .FindAwaitable(WaitKind.Process, via: null).ShouldBe("WaitForExitAsync");
    }

    // The method that waits for the process was inlined, and only the handle's wait is beneath its caller.
    [Fact]
    public void Place_IsWhereTheProcessIsWaitedFor_WhenOnlyTheHandleIsOnTheStack()
    {
        var place = Place(nameof(Vanishing.CallsWhatWaitsForAProcess), Method(typeof(WaitHandle), "WaitOneNoCheck"));

        place.Frame.MethodName.ShouldBe(nameof(Vanishing.WaitsForAProcess));
        place.Refine(WaitKind.WaitHandle).ShouldBe(WaitKind.Process);
    }

    [Fact]
    public void OwnMiddleware_IsFound_WhenItVanishedIntoTheFrameworks()
    {
        var invoke = Method(typeof(StaticFileMiddleware), nameof(StaticFileMiddleware.Invoke));
        var join = Method(typeof(Thread), nameof(Thread.Join));

        var blame = Sampled(s_handler, join, invoke, Own)!;

        blame.ToSiteFrame(HandMadeStacks.Frames).Frame.ShortName.ShouldBe("VanishedPlaceTests.Joining.InvokeAsync");
    }

    [Fact]
    public void Handler_IsNamedWithoutALine_WhenNobodyKnowsWhatVanished()
    {
        var invoke = Method(typeof(StaticFileMiddleware), nameof(StaticFileMiddleware.Invoke));

        var place = Sampled(
            Method(typeof(Vanishing), nameof(Vanishing.Twice)), Method(typeof(Monitor), nameof(Monitor.Wait)), invoke,
            Own)!.ToSiteFrame(HandMadeStacks.Frames);

        place.Frame.MethodName.ShouldBe(nameof(Vanishing.Twice));
        place.Line.ShouldBeNull();
    }

    [Theory]
    [InlineData(nameof(Vanishing.Reads), "WaitHandle", "SyncIO")]
    [InlineData(nameof(Vanishing.Reads), "Monitor.Wait", "SyncIO")]
    [InlineData(nameof(Vanishing.Reads), "SyncIO", "SyncIO")]
    [InlineData(nameof(Vanishing.Reads), "Lock", "Lock")]
    [InlineData(nameof(Vanishing.WaitsForAnEvent), "WaitHandle", "WaitHandle")]
    [InlineData(nameof(Vanishing.WaitsForAnEvent), "Monitor.Wait", "WaitHandle")]
    [InlineData(nameof(Vanishing.WaitsForATask), "Task.Wait", "Task.Wait")]
    [InlineData(nameof(Vanishing.WaitsForATask), "Task.GetResult", "Task.Wait")]
    public void Kind_IsThatOfTheCallInTheLine_HotOrNot(string method, string onStack, string kind)
    {
        var site = Enum.GetValues<WaitKind>().First(k => k.Name() == onStack);

        Place(method, s_wait).Refine(site).Name().ShouldBe(kind);
    }

    // The runtime had no name for the code of an event's wait, and reported its line as native at one time and as a WaitHandle at another.
    [Theory]
    [InlineData(nameof(Vanishing.WaitsForAnEvent), "WaitHandle")]
    [InlineData(nameof(Vanishing.Reads), "SyncIO")]
    [InlineData(nameof(Vanishing.CallsWhatNoRuleKnows), "native")]
    public void Kind_IsThatOfTheCallInTheLine_WhenASampledStackEndsThere(string method, string kind) =>
        Place(method, call: null).Refine(WaitKind.Native).Name().ShouldBe(kind);

    // The last call of the method, as the stack would show its place.
    private static int LineOf(string mark) => 1 + Array.FindIndex(
        File.ReadAllLines(Path.Combine(Repository.Folder, "tests", "AsyncProbe.Tests", "Blocking", "Places", "VanishedPlaceTests.cs")),
        line => line.EndsWith($"// waits: {mark}", StringComparison.Ordinal));

    private static SiteFrame Place(string method, MethodBase? call)
    {
        var frames = HandMadeStacks.Frames;
        var at = Method(typeof(Vanishing), method);
        var offset = CallSiteIl.Calls(at, 0, int.MaxValue).Last().Offset;
        return new SiteFrame(frames.Get(at), offset, call is null ? null : frames.Get(call), frames);
    }

    private static BlameFrame? Sampled(MethodBase? handler, params MethodBase[] methods) =>
        BlameFrame.Find([.. methods.Select(m => new SampledFrame { Method = m, IlOffset = 1 })], HandMadeStacks.Frames, handler);

    private sealed class Joining
    {
        public static Task InvokeAsync(HttpContext context, Thread thread)
        {
            thread.Join();
            return context.Response.CompleteAsync();
        }
    }

    private abstract class Running
    {
        public string Run() => Core();

        protected abstract string Core();
    }

    private sealed class Sleeping : Running
    {
        protected override string Core()
        {
            Thread.Sleep(0);
            return "";
        }
    }

    private sealed class Quiet : Running
    {
        protected override string Core() => "";
    }

    private interface IClient
    {
        void Execute();
    }

    private class Client : IClient
    {
        public void Execute() => Thread.Sleep(0);
    }

    private sealed class SpecialClient : Client, IClient;

    private class Builder
    {
        public virtual void Build()
        {
        }
    }

    private sealed class PurgingBuilder : Builder
    {
        public override void Build() => Dapper.SqlMapper.PurgeQueryCache();
    }

    private interface IShop
    {
        Task<int> SaveChangesAsync(CancellationToken stop);
    }

    private sealed class Shop : DbContext, IShop;

    private static class Vanishing
    {
        public static Task<int> Saves(IShop shop)
        {
            var name = shop.ToString();
            return name is null ? Task.FromResult(0) : shop.SaveChangesAsync(default); // waits: Saves
        }

        public static void Inherited(IClient client) => client.Execute();

        public static void Handler() => Thread.Sleep(0);

        public static void Twice()
        {
            Thread.Sleep(0);
            Thread.Sleep(1);
        }

        public static long ReturnsTheLength()
        {
            using var file = File.OpenRead("/proc/version"); // waits: ReturnsTheLength
            return file.Length;
        }

        public static void BuildsAndPurges(Builder builder)
        {
            builder.Build();
            Dapper.SqlMapper.PurgeQueryCache();
        }

        public static void WaitsForAProcess(System.Diagnostics.Process process) => process.WaitForExit();

        public static void CallsWhatWaitsForAProcess(System.Diagnostics.Process process) => WaitsForAProcess(process);

        public static void CallsWhatWaitsForAnEvent(ManualResetEventSlim signal) => WaitsForAnEvent(signal);

        public static void CallsBoth()
        {
            Outer();
            Outmost();
        }

        public static int RunsADelegate(Func<int> count) => Math.Abs(count());

        public static int CallsBothInALine(bool isFirst) => isFirst ? CallsOuter() : CallsOutmost(); // waits: CallsBothInALine

        private static int CallsOuter()
        {
            Outer();
            return 1;
        }

        private static int CallsOutmost()
        {
            Outmost();
            return 2;
        }

        private static void Outmost() => Handler();

        public static void Sends(HttpClient client) => client.Send(new HttpRequestMessage());

        public static void Outer() => Inner();

        public static string Virtual(bool isQuiet) => (isQuiet ? new Quiet() : (Running)new Sleeping()).Run();

        public static int Reads(Stream stream) => stream.ReadByte();

        public static bool WaitsForAnEvent(ManualResetEventSlim signal) => signal.Wait(0);

        public static int CallsWhatNoRuleKnows() => Environment.TickCount;

        public static void WaitsForATask(Task task) => task.Wait();

        private static void Inner()
        {
            _ = Environment.TickCount;
            Thread.Sleep(0); // waits: Inner
        }
    }
}
