using System.Reflection;
using System.Reflection.Emit;
using AsyncProbe.Blocking.Code;
using AsyncProbe.Blocking.Kinds;
using AsyncProbe.Blocking.Methods;
using AsyncProbe.Blocking.Stacks;
using AsyncProbe.TestServer;

namespace AsyncProbe.Tests.Blocking.Stacks;

/// <summary>Places that the runtime reports too early.</summary>
[Trait(Logic.Category, Logic.Name)]
public sealed class LaterCallTests
{
    private static readonly Frames s_frames = new(UserCode.Create([typeof(LaterCalls).Assembly.GetName().Name!]));

    [Theory]
    [InlineData(typeof(WaitHandle), nameof(LaterCalls.WaitOne))]
    [InlineData(typeof(Lock), nameof(LaterCalls.EnterScope))]
    public void Line_IsTheCalls_WhenTheRuntimeTellsTheStatementBefore(Type type, string method) =>
        LineOf(method, type, method).ShouldBe(Marked(method));

    // The symbols of optimised code map it to the brace.
    [Fact]
    public void Line_IsTheLocks_WhenItIsTheFirstStatement() =>
        LineOf(nameof(LaterCalls.EnterScopeFirst), typeof(Lock), nameof(Lock.EnterScope)).ShouldBe(
            Marked(nameof(LaterCalls.EnterScopeFirst)));

    // In optimised code of an asynchronous method the runtime may report the very start of the method.
    [Fact]
    public void Line_IsTheOnlyWaitsOne_WhenAwaitsComeBefore()
    {
        var machine = typeof(LaterCalls).GetNestedTypes(BindingFlags.NonPublic)
            .Single(t => t.Name.StartsWith("<Result>", StringComparison.Ordinal));
        var wait = s_frames.Get(HandMadeStacks.Method(typeof(Task), "InternalWait"));

        new SiteFrame(s_frames.Get(HandMadeStacks.Method(machine, "MoveNext")), 0, wait, s_frames).Line.ShouldNotBeNull().Line.ShouldBe(
            Marked(nameof(LaterCalls.Result)));
    }

    // EF Core's ExecuteSqlRaw(string, params object[]) is inlined into its caller, and its calls are reported anywhere nearby.
    [Fact]
    public void Line_IsTheCallOfThatName_WhenTheRuntimeTellsALaterStatement()
    {
        var method = HandMadeStacks.Method(typeof(LaterCalls), nameof(LaterCalls.Earlier));
        var told = CallSiteIl.Calls(method, 0, int.MaxValue).Single(c => c.Target.Name == "Prepare").Offset;

        LineOf(nameof(LaterCalls.Earlier), typeof(WaitHandle), nameof(WaitHandle.WaitOne), told)
            .ShouldBe(Marked(nameof(LaterCalls.Earlier)));
    }

    // The event's wait was inlined, and the runtime reported the line that creates the timer.
    [Fact]
    public void Line_IsTheEvents_WhenTheRuntimeTellsTheTimerBeforeIt()
    {
        LineOf(nameof(LaterCalls.AfterATimer), typeof(Monitor), nameof(Monitor.Wait), TimerIn(nameof(LaterCalls.AfterATimer)))
            .ShouldBe(Marked(nameof(LaterCalls.AfterATimer)));
        LineOf(nameof(LaterCalls.TwiceAfterATimer), typeof(Monitor), nameof(Monitor.Wait), TimerIn(nameof(LaterCalls.TwiceAfterATimer)))
            .ShouldBeNull();

        static int TimerIn(string method) => MethodCode.Get(HandMadeStacks.Method(typeof(LaterCalls), method)).Calls
            .Single(c => c.IsNew && c.Target.DeclaringType == typeof(Timer)).Offset;
    }

    [Fact]
    public void Line_IsTheCallOfThatName_WhenTheToldStatementOnlyWaitsInTheSameWay() =>
        LineOf(nameof(LaterCalls.AfterAWaitOfItsKind), typeof(Task), nameof(Task.Wait))
            .ShouldBe(Marked(nameof(LaterCalls.AfterAWaitOfItsKind)));

    // Precompiled code may have no place for a statement, and the runtime then reports the previous one. A stack shows the method that ran,
    // and the caller's code the one that it overrides.
    [Fact]
    public void Line_IsTheCallOfWhatIsOverridden_WhenTheRuntimeTellsTheStatementBefore() =>
        LineOf(nameof(LaterCalls.Overridden), typeof(FileStream), nameof(Stream.ReadByte)).ShouldBe(Marked(nameof(LaterCalls.Overridden)));

    [Theory]
    [InlineData(0, "Again, the first time")]
    [InlineData(1, "Again, the second time")]
    public void Line_IsTheNextStatements_WhenSeveralMakeTheCall(int told, string expected)
    {
        var method = HandMadeStacks.Method(typeof(LaterCalls), nameof(LaterCalls.Again));
        var look = CallSiteIl.Calls(method, 0, int.MaxValue).Where(c => c.Target.Name == "Look").ElementAt(told).Offset;

        LineOf(nameof(LaterCalls.Again), typeof(FileStream), nameof(Stream.ReadByte), look).ShouldBe(Marked(expected));
    }

    [Fact]
    public void Place_IsTheMethodThatVanished_WhenItMakesTheCallToo()
    {
        var place = new SiteFrame(
            s_frames.Get(HandMadeStacks.Method(typeof(LaterCalls), nameof(LaterCalls.InWhatItCalls))), 0,
            s_frames.Get(HandMadeStacks.Method(typeof(Task), nameof(Task.Wait))), s_frames);

        place.Frame.MethodName.ShouldBe("Waits");
    }

    // The runtime reports a lock in an inlined method at the delegate's call before it.
    [Theory]
    [InlineData(nameof(LaterCalls.InADelegate))]
    [InlineData(nameof(LaterCalls.Vanished))]
    public void Line_IsUnknown_WhenItsStatementRunsUnknownCodeAndAnotherOneWaits(string method) =>
        LineOf(method, typeof(Task), nameof(Task.Wait)).ShouldBeNull();

    // Optimised code inlines all of Process.WaitForExit, and the runtime reports the line that starts the process.
    [Fact]
    public void Line_IsThatOfWaitForExit_WhenOnlyItsHandleIsLeft()
    {
        var method = HandMadeStacks.Method(typeof(LaterCalls), nameof(LaterCalls.Starts));
        var told = CallSiteIl.Calls(method, 0, int.MaxValue).Single(c => c.Target.Name == "Start").Offset;
        var place = new SiteFrame(
            s_frames.Get(method), told, s_frames.Get(HandMadeStacks.Method(typeof(WaitHandle), nameof(WaitHandle.WaitOne))), s_frames);

        place.Line.ShouldNotBeNull().Line.ShouldBe(Marked(nameof(LaterCalls.Starts)));
        place.Refine(WaitKind.WaitHandle).ShouldBe(WaitKind.Process);
    }

    [Theory]
    [InlineData(false, true)]
    [InlineData(true, false)]
    public void Call_IsFoundBehindAStatement_WhenAValueStaysOnTheStack(bool isInALocal, bool isFound)
    {
        var type = AssemblyBuilder.DefineDynamicAssembly(new AssemblyName("Stacked"), AssemblyBuilderAccess.Run)
            .DefineDynamicModule("Stacked").DefineType("Stacked");
        var code = type.DefineMethod("Waits", MethodAttributes.Public | MethodAttributes.Static, typeof(void), []).GetILGenerator();
        code.Emit(OpCodes.Ldc_I4_0);
        code.Emit(OpCodes.Newobj, typeof(AutoResetEvent).GetConstructor([typeof(bool)])!);
        if (isInALocal)
        {
            code.DeclareLocal(typeof(AutoResetEvent));
            code.Emit(OpCodes.Stloc_0);
        }

        var begin = code.ILOffset;
        if (isInALocal)
        {
            code.Emit(OpCodes.Ldloc_0);
        }

        code.Emit(OpCodes.Ldc_I4_5);
        var call = code.ILOffset;
        code.Emit(OpCodes.Callvirt, typeof(WaitHandle).GetMethod(nameof(WaitHandle.WaitOne), [typeof(int)])!);
        code.Emit(OpCodes.Pop);
        code.Emit(OpCodes.Ret);
        var method = type.CreateType().GetMethod("Waits")!;

        StackedCalls.Find(method, 0, m => m.Name == nameof(WaitHandle.WaitOne), offset => offset == begin).ShouldBe(isFound ? call : null);
    }

    [Fact]
    public void Join_IsAJoin_WhenOnlyItsMarshallingIsLeftOnTheStack() =>
        KindRules.Find(typeof(Thread), "<Join>g____PInvoke|36_0").ShouldBe(WaitKind.Join);

    private static int? LineOf(string caller, Type type, string call, int told = 0) =>
        new SiteFrame(
            s_frames.Get(HandMadeStacks.Method(typeof(LaterCalls), caller)), told, s_frames.Get(HandMadeStacks.Method(type, call)),
            s_frames).Line?.Line;

    private static int Marked(string name) => MarkedLines.Find("LaterCalls.cs", "waits", name);
}
