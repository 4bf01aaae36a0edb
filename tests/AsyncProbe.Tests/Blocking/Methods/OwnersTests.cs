using System.Reflection;
using System.Reflection.Emit;
using AsyncProbe.Blocking.Code;
using AsyncProbe.Blocking.Hook;
using AsyncProbe.Blocking.Methods;
using AsyncProbe.Blocking.Stacks;
using AsyncProbe.TestServer;
using AsyncProbe.Tests.Blocking.Stacks;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Mvc;
using Microsoft.AspNetCore.Mvc.Filters;
using Microsoft.EntityFrameworkCore;
using Microsoft.Extensions.DependencyInjection;
using static AsyncProbe.Tests.Blocking.Stacks.HandMadeStacks;

namespace AsyncProbe.Tests.Blocking.Methods;

/// <summary>The report names one of several methods, and skips the hook's own waits.</summary>
[Trait(Logic.Category, Logic.Name)]
public sealed class OwnersTests
{
    private static readonly Frames s_frames = HandMadeStacks.Frames;
    private static readonly MethodBase s_wait = Method(typeof(Task), nameof(Task.Wait));
    private static readonly MethodBase s_enter = Method(typeof(Monitor), nameof(Monitor.Enter));

    // A context's SaveChanges was once blamed for the waits of all its callers.
    [Fact]
    public void CallerOfAnOverride_IsNamedWithIt()
    {
        var found = BlameFrame.Find(
            Of(s_wait, Method(typeof(DbContext), nameof(DbContext.SaveChanges)), Method(typeof(Shop), nameof(Shop.SaveChanges)), Own),
            s_frames, handler: null).ShouldNotBeNull();

        found.At.Method.ShouldBe(Own);
        found.ToSiteFrame(s_frames).Text.ShouldEndWith(" through OwnersTests.Shop.SaveChanges");
    }

    // The base class calls one override from the method that the other one overrides, and the outer override was blamed.
    [Fact]
    public void CallerOfTwoOverrides_IsNamedWithTheOuterOne()
    {
        Type[] outer = [typeof(CancellationToken)], inner = [typeof(bool), typeof(CancellationToken)];

        var found = BlameFrame.Find(
            Of(s_wait, Save<DbContext>(inner), Save<Shop>(inner), Save<DbContext>(outer), Save<Shop>(outer), Own), s_frames, handler: null)
            .ShouldNotBeNull();

        found.At.Method.ShouldBe(Own);
        found.Through!.Method.ShouldBe(Save<Shop>(outer));

        static MethodBase Save<TContext>(Type[] parameters) =>
            typeof(TContext).GetMethod(nameof(DbContext.SaveChangesAsync), parameters)!;
    }

    [Fact]
    public void Override_IsNamedItself_WhenNoOwnMethodCallsIt()
    {
        var shop = Method(typeof(Shop), nameof(Shop.SaveChanges));

        BlameFrame.Find(Of(s_wait, Method(typeof(DbContext), nameof(DbContext.SaveChanges)), shop), s_frames, handler: null)
            .ShouldNotBeNull().At.Method.ShouldBe(shop);
        BlameFrame.Find(Of(s_wait, shop, Own), s_frames, handler: null).ShouldNotBeNull().At.Method.ShouldBe(shop);
    }

    // The hook posts the continuation of "await Task.Yield()", and the pool's queue has a lock.
    [Fact]
    public void WaitOfTheHookItself_IsNobodysSite() =>
        BlameFrame.Find(
            Of(s_enter, Method(typeof(ThreadPool), nameof(ThreadPool.UnsafeQueueUserWorkItem)),
                Method(typeof(BlockingContext), nameof(BlockingContext.Post)), Own),
            s_frames, handler: null).ShouldBeNull();

    [Fact]
    public void WaitUnderTheHook_IsTheApplications() =>
        BlameFrame.Find(Of(Method(typeof(BlockingContext), nameof(BlockingContext.Wait)), s_wait, Own), s_frames, handler: null)
            .ShouldNotBeNull().At.Method.ShouldBe(Own);

    // Optimised code inlines the endpoint's method into its caller. A package's own method is not the place to change.
    [Fact]
    public void EndpointsMethod_IsNamed_WhenOnlyAPackageIsLeftBelowItsCall()
    {
        var endpoints = Assembly.Load("Microsoft.AspNetCore.Routing")
            .GetType("Microsoft.AspNetCore.Routing.EndpointMiddleware", throwOnError: true)!;

        BlameFrame.Find(
            Of(s_wait, Method(typeof(DbContext), nameof(DbContext.SaveChanges)), Method(endpoints, "Invoke")), s_frames, handler: Own)
            .ShouldNotBeNull().At.Method.ShouldBe(Own);
    }

    // The filter runs next to the endpoint's method, not inside it.
    [Theory]
    [InlineData(typeof(IActionFilter))]
    [InlineData(typeof(IEndpointFilter))]
    public void PackagesFilter_IsNamedItself_WhenItWaits(Type kind)
    {
        var filter = typeof(PackagesFilter).GetInterfaceMap(kind).TargetMethods[0];
        var invoker = typeof(ControllerBase).Assembly
            .GetType("Microsoft.AspNetCore.Mvc.Infrastructure.ControllerActionInvoker", throwOnError: true)!;
        var endpoint = Method(typeof(Cpu), nameof(Cpu.Burn));
        Frames frames = new(UserCode.Create([endpoint.Module.Assembly.GetName().Name!]));

        BlameFrame.Find(Of(s_wait, filter, Method(invoker, "Next")), frames, handler: endpoint)
            .ShouldNotBeNull().At.Method.ShouldBe(filter);
    }

    [Fact]
    public void Caller_CallsTheOverride_WhenItCallsTheBaseMethod() =>
        CallPaths.Calls(
            s_frames.Get(Method(typeof(OwnersTests), nameof(Print))), s_frames.Get(Method(typeof(Invoice), nameof(Invoice.Print))))
            .ShouldBeTrue();

    // Reflection compiles a stub that calls the constructor, and a small constructor is inlined into it.
    [Fact]
    public void ReflectionsStub_StandsForAConstructor() =>
        s_frames.Get(new DynamicMethod("InvokeStub_Shop..ctor", typeof(object), [typeof(object)], typeof(object).Module))
            .Part.ShouldBe(UserPart.Constructor);

    // Containers compile code that creates an object, without a name, and attach it to a type of the application.
    [Fact]
    public void CodeMadeAtRunTime_IsNotTheApplications()
    {
        var made = new DynamicMethod("", typeof(void), [], typeof(OwnersTests).Module);

        s_frames.Get(made).Owner.ShouldBe(FrameOwner.Library);
        BlameFrame.Find(Of(s_enter, made, Own), s_frames, handler: null).ShouldNotBeNull().At.Method.ShouldBe(Own);
    }

    [Fact]
    public void StartOfARuntimesType_IsNoLock_InASample()
    {
        var start = Method(typeof(object).Assembly.GetType("System.Runtime.CompilerServices.InitHelpers")!, "InitClass");
        StackSample sample = new()
        {
            OsThreadId = 1,
            Frames = [.. new[] { start, Method(typeof(int), nameof(int.Parse)), Own }.Select(m => new SampledFrame { Method = m })],
        };

        BlameFrame.Find(sample, s_frames, handler: null).ShouldBeNull();
    }

    [Theory]
    [InlineData("Dispose", nameof(UserPart.Disposal))]
    [InlineData("DisposeAsync", nameof(UserPart.Disposal))]
    [InlineData("GetService", nameof(UserPart.Constructor))]
    public void PartOfAScope_IsWhatItCalls(string method, string expected) =>
        s_frames.Get(
                Method(
                    typeof(ServiceProvider).Assembly.GetType(
                        "Microsoft.Extensions.DependencyInjection.ServiceLookup.ServiceProviderEngineScope")!, method))
            .Part.ToString().ShouldBe(expected);

    // Lazy.Value was inlined into its caller, and the threads that waited for it had no site.
    [Fact]
    public void WaiterForALazyValue_IsTheHandler()
    {
        var handler = Method(typeof(OwnersTests), nameof(AsksForTheValue));
        var create = Method(typeof(Lazy<>), "CreateValue");

        CallPaths.Calls(s_frames.Get(handler), s_frames.Get(create)).ShouldBeTrue();
        CallPaths.Calls(s_frames.Get(Method(typeof(OwnersTests), nameof(AsksForNothing))), s_frames.Get(create)).ShouldBeFalse();
    }

    private static string AsksForTheValue(Lazy<string> lazy) => lazy.Value;

    private static bool AsksForNothing(Lazy<string> lazy) => lazy.IsValueCreated;

    private sealed class Shop : DbContext
    {
        public override int SaveChanges() => base.SaveChanges();

        public override Task<int> SaveChangesAsync(CancellationToken cancellationToken = default) =>
            base.SaveChangesAsync(cancellationToken);

        public override Task<int> SaveChangesAsync(bool acceptAllChangesOnSuccess, CancellationToken cancellationToken = default) =>
            base.SaveChangesAsync(acceptAllChangesOnSuccess, cancellationToken);
    }

    private sealed class PackagesFilter : IActionFilter, IEndpointFilter
    {
        public void OnActionExecuting(ActionExecutingContext context)
        {
        }

        public void OnActionExecuted(ActionExecutedContext context)
        {
        }

        public ValueTask<object?> InvokeAsync(EndpointFilterInvocationContext context, EndpointFilterDelegate next) => next(context);
    }

    private static void Print(Paper paper) => paper.Print();

    private class Paper
    {
        public virtual void Print()
        {
        }
    }

    private sealed class Invoice : Paper
    {
        public override void Print()
        {
        }
    }
}
