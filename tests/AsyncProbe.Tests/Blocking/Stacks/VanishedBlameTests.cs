using System.Reflection;
using System.Runtime.CompilerServices;
using AsyncProbe.Blocking.Kinds;
using AsyncProbe.Blocking.Stacks;
using Microsoft.AspNetCore.Mvc;
using Microsoft.AspNetCore.Routing;
using Microsoft.EntityFrameworkCore;
using static AsyncProbe.Tests.Blocking.Stacks.HandMadeStacks;

namespace AsyncProbe.Tests.Blocking.Stacks;

/// <summary>
/// Who is to blame in optimised code: some methods have been inlined into their callers, and methods that have completed are still on the
/// stack.
/// </summary>
[Trait(Logic.Category, Logic.Name)]
public sealed class VanishedBlameTests
{
    private static readonly MethodBase s_sleep = Method(typeof(Thread), nameof(Thread.Sleep));
    private static readonly MethodBase s_wait = Method(typeof(Task), nameof(Task.Wait));
    private static readonly MethodBase s_enter = Method(typeof(Monitor), nameof(Monitor.Enter));
    private static readonly MethodBase s_send = Method(typeof(HttpClient), nameof(HttpClient.Send));
    private static readonly MethodBase s_executor = Method(
        Mvc("ActionMethodExecutor").GetNestedType("SyncObjectResultExecutor", BindingFlags.NonPublic)!, "Execute");
    private static readonly MethodBase s_invoker = Method(Mvc("ControllerActionInvoker"), "InvokeActionMethodAsync");
    private static readonly MethodBase s_results = Method(Mvc("ResourceInvoker"), "InvokeAsync");
    private static readonly MethodBase s_endpoint =
        Method(
            typeof(RouteEndpoint).Assembly.GetType("Microsoft.AspNetCore.Routing.EndpointMiddleware")
                ?? typeof(RouteData).Assembly.GetType("Microsoft.AspNetCore.Routing.EndpointMiddleware")!, "Invoke");
    private static readonly MethodBase s_resumed =
        Method(typeof(AsyncTaskMethodBuilder<>).GetNestedType("AsyncStateMachineBox`1", BindingFlags.NonPublic)!, "MoveNext");
    private static readonly MethodBase s_continuations = Method(typeof(Task), "RunContinuations");
    private static readonly MethodBase s_log = Method(
        Type.GetType("Microsoft.Extensions.Logging.Console.ConsoleLoggerProcessor, Microsoft.Extensions.Logging.Console")!,
        "EnqueueMessage");

    private static readonly MethodBase s_queryCache = Method(
        typeof(DbContext).Assembly.GetType("Microsoft.EntityFrameworkCore.Query.Internal.CompiledQueryCache")!, "GetOrAddQuery");

    private static readonly MethodBase s_handler = Method(typeof(Endpoints), nameof(Endpoints.Sleeps));

    [Fact]
    public void Handler_IsBlamed_BelowAnOwnFilter()
    {
        Sampled(s_handler, s_sleep, s_executor, s_invoker, Own)!.At.Method.ShouldBe(s_handler);
        Sampled(s_handler, s_sleep, s_invoker, Own)!.At.Method.ShouldBe(s_handler);
        Sampled(s_handler, s_sleep, s_endpoint, Own)!.At.Method.ShouldBe(s_handler);
        Sampled(s_handler, s_executor, s_invoker, Own)!.At.Method.ShouldBe(s_handler);
        Hooked(s_handler, s_wait, s_invoker, Own)!.At.Method.ShouldBe(s_handler);
    }

    [Fact]
    public void Handler_IsBlamed_ForALibrarysCallThatItMakes()
    {
        Sampled(s_handler, s_sleep, s_send, s_invoker, Own)!.At.Method.ShouldNotBe(s_handler);
        Sampled(Method(typeof(Endpoints), nameof(Endpoints.Sends)), s_sleep, s_send, s_invoker, Own)!.At.MethodName.ShouldBe(
            nameof(Endpoints.Sends));
    }

    [Fact]
    public void OwnCode_IsNotToBlame_WhenItOnlyPassedTheRequestOn()
    {
        Hooked(s_handler, s_wait, s_send, s_results, Own)!.At.Method.ShouldBe(s_send);
        Hooked(s_handler, s_enter, s_log, s_invoker, Own)!.At.Method.ShouldBe(s_log);
    }

    [Fact]
    public void OwnCode_IsNotToBlame_WhenItHasCompletedAndOnlyResumesOthers()
    {
        Hooked(null, s_wait, s_send, s_resumed, s_continuations, Own)!.At.Method.ShouldBe(s_send);
        Hooked(null, s_wait, s_send, s_continuations, Own)!.At.Method.ShouldBe(s_send);
        Hooked(null, s_wait, s_resumed, s_continuations, Own).ShouldBeNull();
        Hooked(null, s_wait, Own, s_resumed)!.At.Method.ShouldBe(Own);
    }

    [Fact]
    public void LockOfTheLogger_IsTheLoggers()
    {
        var blame = Hooked(null, s_enter, s_log, Own)!;

        blame.At.Method.ShouldBe(s_log);
        blame.Kind.ShouldBe(WaitKind.Lock);
    }

    [Fact]
    public void LockBeneathEfCore_IsALock()
    {
        var blame = Hooked(null, s_enter, s_queryCache, Own)!;

        blame.At.Method.ShouldBe(s_queryCache);
        blame.Kind.ShouldBe(WaitKind.Lock);
        Hooked(null, s_wait, s_queryCache, Own)!.Kind.ShouldBe(WaitKind.EfCore);
    }

    // For example, called back by the provider. A query's line was once reported as Lock if the framework didn't take the lock.
    [Fact]
    public void LockOfAnyLibraryBeneathAQuery_IsThatLibrarys()
    {
        var taker = Method(typeof(Dapper.SqlMapper), nameof(Dapper.SqlMapper.PurgeQueryCache));

        var blame = Hooked(null, s_enter, taker, s_queryCache, Own)!;

        (blame.At.Method, blame.Kind).ShouldBe((taker, WaitKind.Lock));
        Hooked(null, s_enter, taker, Own)!.At.Method.ShouldBe(Own);
    }

    [Fact]
    public void OwnConstructor_IsNotToBlame_ForALockOfTheBaseClass()
    {
        var own = typeof(Derived).GetConstructor([])!;
        var based = typeof(DbContext).GetConstructor(BindingFlags.NonPublic | BindingFlags.Instance, [])!;

        Hooked(null, s_enter, based, own, Own)!.At.Method.ShouldBe(based);
        Hooked(null, s_wait, based, own, Own)!.At.Method.ShouldBe(own);
    }

    // The frame of SaveChangesAsync is gone, and only that of the runtime's Start is left between its state machine and the application.
    [Fact]
    public void Call_IsTheLibrarysMethod_NotTheStartOfIt()
    {
        var start = typeof(object).Assembly.GetType("System.Runtime.CompilerServices.AsyncMethodBuilderCore")!
            .GetMethods(BindingFlags.Public | BindingFlags.Static).First(m => m.Name == "Start");
        var save = Method(typeof(DbContext), nameof(DbContext.SaveChangesAsync));

        Hooked(null, s_wait, save, start, Own)!.Call.ShouldNotBeNull().MethodName.ShouldBe(nameof(DbContext.SaveChangesAsync));
    }

    private static Type Mvc(string name) => typeof(Controller).Assembly.GetType("Microsoft.AspNetCore.Mvc.Infrastructure." + name)
        ?? typeof(ControllerBase).Assembly.GetType("Microsoft.AspNetCore.Mvc.Infrastructure." + name)!;

    private static BlameFrame? Hooked(MethodBase? handler, params MethodBase?[] methods) =>
        BlameFrame.Find(Of(methods), HandMadeStacks.Frames, handler);

    private static BlameFrame? Sampled(MethodBase? handler, params MethodBase[] methods) =>
        BlameFrame.Find([.. methods.Select(m => new SampledFrame { Method = m, IlOffset = 1 })], HandMadeStacks.Frames, handler);

    private sealed class Derived : DbContext;

    private static class Endpoints
    {
        public static void Sleeps() => Thread.Sleep(0);

        public static void Sends(HttpClient client) => client.Send(new HttpRequestMessage());
    }
}
