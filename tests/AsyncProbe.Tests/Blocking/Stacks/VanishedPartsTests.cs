using System.Diagnostics;
using System.Linq.Expressions;
using System.Reflection;
using System.Reflection.Emit;
using AsyncProbe.Blocking.Code;
using AsyncProbe.Blocking.Kinds;
using AsyncProbe.Blocking.Methods;
using AsyncProbe.Blocking.Stacks;
using AsyncProbe.Requests.Endpoints;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Identity;
using Microsoft.AspNetCore.Mvc;
using Microsoft.AspNetCore.Mvc.ModelBinding;
using Microsoft.AspNetCore.Mvc.RazorPages;
using Microsoft.AspNetCore.Mvc.RazorPages.Infrastructure;
using Microsoft.AspNetCore.SignalR;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Mono.Cecil;
using static AsyncProbe.Tests.Blocking.Stacks.HandMadeStacks;

namespace AsyncProbe.Tests.Blocking.Stacks;

/// <summary>Code that the framework calls in addition to the endpoint's method, and that is inlined into the framework's code.</summary>
[Trait(Logic.Category, Logic.Name)]
public sealed class VanishedPartsTests
{
    private static readonly MethodBase s_sleep = Method(typeof(Thread), nameof(Thread.Sleep));
    private static readonly MethodBase s_join = Method(typeof(Thread), nameof(Thread.Join));
    private static readonly MethodBase s_library =
        typeof(MetadataResolver).GetMethod(nameof(MetadataResolver.Resolve), [typeof(Mono.Cecil.TypeReference)])!;
    private static readonly MethodBase s_compiledCall = Compiled<Func<object, object[], object>>();
    private static readonly MethodBase s_executor = Method(
        typeof(ControllerBase).Assembly.GetType("Microsoft.Extensions.Internal.ObjectMethodExecutor")!, "Execute");
    private static readonly MethodBase s_action =
        Method(
            typeof(ControllerBase).Assembly.GetType("Microsoft.AspNetCore.Mvc.Infrastructure.ControllerActionInvoker")!,
            "InvokeActionMethodAsync");
    private static readonly MethodBase s_component =
        Method(
            typeof(Controller).Assembly.GetType("Microsoft.AspNetCore.Mvc.ViewComponents.DefaultViewComponentInvoker")!, "InvokeSyncCore");
    private static readonly MethodBase s_hub =
        Method(typeof(Hub).Assembly.GetType("Microsoft.AspNetCore.SignalR.Internal.DefaultHubDispatcher`1")!, "ExecuteMethod");
    private static readonly MethodBase s_container = Method(typeof(ServiceProvider), "GetService");
    private static readonly MethodBase s_page = Method(
        typeof(PageModel).Assembly.GetType("Microsoft.AspNetCore.Mvc.RazorPages.Infrastructure.ExecutorFactory")!.GetNestedType(
            "VoidHandlerMethod", BindingFlags.NonPublic)!, "Execute");
    private static readonly MethodBase s_binder =
        Method(
            typeof(ControllerBase).Assembly.GetType("Microsoft.AspNetCore.Mvc.ModelBinding.Binders.BinderTypeModelBinder")!,
            "BindModelAsync");
    private static readonly MethodBase s_handler = Method(typeof(Parts), nameof(Parts.Handler));

    [Fact]
    public void Handler_IsBlamed_WhenTheCompiledCallIsOfAnAction()
    {
        var place = Place(Method(typeof(Parts), nameof(Parts.Sleeps)), s_sleep, s_compiledCall, s_executor, s_action, Own);

        place.Frame.MethodName.ShouldBe(nameof(Parts.Sleeps));
        Place(Method(typeof(Parts), nameof(Parts.Sleeps)), s_sleep, s_compiledCall).Frame.MethodName.ShouldBe(nameof(Parts.Sleeps));
    }

    [Fact]
    public void ViewComponent_IsBlamed_InsteadOfTheActionWhoseViewCallsIt() =>
        Place(s_handler, s_sleep, s_compiledCall, s_executor, s_component, s_action, Own).Frame.ShortName.ShouldBe(
            "VanishedPartsTests.SleepyViewComponent.Invoke");

    [Fact]
    public void HubMethod_IsBlamed_InsteadOfTheDispatcher()
    {
        var place = Place(null, s_sleep, s_compiledCall, s_executor, s_hub);

        place.Frame.ShortName.ShouldBe("VanishedPartsTests.SleepyHub.Doze");
        place.Line!.File.ShouldEndWith("VanishedPartsTests.cs");
    }

    /// <summary>A library's small method may have been inlined into it. No other application code that sleeps is on a stack.</summary>
    [Fact]
    public void MethodOnTheStack_IsBlamed_WhenItHasNoPlaceAndMakesNoSuchCall()
    {
        SampledFrame[] stack = [new() { Method = s_sleep }, new() { Method = Own }];

        var place = BlameFrame.Find(stack, HandMadeStacks.Frames, s_handler).ShouldNotBeNull().ToSiteFrame(HandMadeStacks.Frames);

        place.Frame.ShortName.ShouldBe("HandMadeStacks.OwnCodeHere");
    }

    [Fact]
    public void Constructor_IsBlamed_InsteadOfTheContainer() =>
        Place(s_handler, s_sleep, s_container, s_action, Own).Frame.ShortName.ShouldBe("VanishedPartsTests.Sleepy.ctor");

    [Fact]
    public void Constructor_IsBlamed_WhenReflectionsStubNamesItsType()
    {
        // Both constructors wait in this way.
        Place(s_handler, s_join, s_container, s_action, Own).Frame.ShortName.ShouldBe("ServiceProvider.GetService");

        var place = Place(s_handler, s_join, Stub("InvokeStub_FirstJoiner..ctor"), s_container, s_action, Own);

        place.Frame.ShortName.ShouldBe("VanishedPartsTests.FirstJoiner.ctor");
        place.Line.ShouldNotBeNull();
    }

    [Fact]
    public void Callback_IsBlamed_InsteadOfTheLibraryThatCallsIt()
    {
        var place = Place(s_handler, s_sleep, s_library);

        place.Frame.ShortName.ShouldBe("VanishedPartsTests.SleepyResolver.Resolve");
        place.Line!.File.ShouldEndWith("VanishedPartsTests.cs");
        place.Library.ShouldBeNull();
    }

    [Fact]
    public void Constructor_IsBlamed_InsteadOfTheFrameworkThatAsksTheContainer()
    {
        var framework = Method(typeof(SecurityStampValidator), nameof(SecurityStampValidator.ValidatePrincipalAsync));
        SampledFrame[] stack = [new() { Method = s_sleep }, new() { Method = framework }];

        var place = BlameFrame.Find(stack, HandMadeStacks.Frames, s_handler).ShouldNotBeNull().ToSiteFrame(HandMadeStacks.Frames);

        place.Frame.ShortName.ShouldBe("VanishedPartsTests.Sleepy.ctor");
    }

    // The base class calls it from its own override of what the framework calls.
    [Fact]
    public void Callback_IsBlamed_WhenItsBaseClassCallsIt()
    {
        var framework = Method(typeof(ConfigurationRoot), ".ctor");
        SampledFrame[] stack = [new() { Method = Method(typeof(Task), nameof(Task.WaitAll)) }, new() { Method = framework }];

        var place = BlameFrame.Find(stack, HandMadeStacks.Frames, s_handler).ShouldNotBeNull().ToSiteFrame(HandMadeStacks.Frames);

        place.Frame.ShortName.ShouldBe("VanishedPartsTests.WaitingConfiguration.Load");
        place.Line.ShouldNotBeNull();
    }

    [Fact]
    public void Library_IsNamedWithoutALine_WhenNothingThatItCallsBackMakesTheCall()
    {
        var place = Place(s_handler, s_join, s_library);

        place.Frame.ShortName.ShouldBe("MetadataResolver.Resolve");
        place.Line.ShouldBeNull();
    }

    [Fact]
    public void ModelBinder_IsBlamed_InsteadOfTheActionThatCallsItsBaseClass() =>
        Place(Method(typeof(Answering), nameof(Answering.Answer)), s_sleep, s_binder, s_action, Own).Frame.ShortName.ShouldBe(
            "VanishedPartsTests.SleepyBinder.BindModelAsync");

    /// <summary>The action was blamed for what the constructor of its controller waits for.</summary>
    [Fact]
    public void ControllersConstructor_IsBlamed_InsteadOfTheAction()
    {
        var action = Method(typeof(WaitingController), nameof(WaitingController.Get));
        var wait = Method(typeof(Task), nameof(Task.WaitAny));
        var create = Method(
            typeof(ControllerBase).Assembly.GetType("Microsoft.AspNetCore.Mvc.Controllers.ControllerFactoryProvider")!,
            "CreateControllerFactory");
        var factory = Compiled<Func<IServiceProvider, object[], object>>();

        Place(action, wait, factory, create, s_action, Own).Frame.ShortName.ShouldBe("VanishedPartsTests.WaitingController.ctor");
        Place(action, wait, create, s_action, Own).Frame.ShortName.ShouldBe("VanishedPartsTests.WaitingController.ctor");
        Place(action, wait, s_action, Own).Frame.ShortName.ShouldBe("VanishedPartsTests.WaitingController.ctor");
    }

    /// <summary>A process waits in an assembly of its own, with a handle. The row was the runtime's method that waits for the handle.</summary>
    [Fact]
    public void Constructor_IsBlamed_WhenItWaitsForAProcess()
    {
        var handle = Method(typeof(WaitHandle), nameof(WaitHandle.WaitOne));
        var process = Method(typeof(Process).Assembly.GetType("System.Diagnostics.ProcessWaitState")!, "WaitForExit");

        var found = BlameFrame.Find(Of(handle, process, s_container, s_action, Own), HandMadeStacks.Frames, s_handler).ShouldNotBeNull();

        found.Kind.ShouldBe(WaitKind.Process);
        found.ToSiteFrame(HandMadeStacks.Frames).Frame.ShortName.ShouldBe("VanishedPartsTests.WaitingForAProcess.ctor");
    }

    /// <summary>The statement asks the container for an object, and a snapshot has no name for the code that creates it.</summary>
    [Theory]
    [InlineData(nameof(Parts.Asks), "VanishedPartsTests.WithASemaphore.ctor")]
    [InlineData(nameof(Parts.AsksForAnother), "code called by VanishedPartsTests.Parts.AsksForAnother")]
    public void Constructor_IsBlamed_InsteadOfTheStatementThatAsksForItsObject(string method, string expected)
    {
        var caller = Method(typeof(Parts), method);
        var asks = CallSiteIl.Calls(caller, 0, int.MaxValue).Single(call => FrameRoles.AsksContainer(call.Target)).Offset;
        SampledFrame[] stack =
        [
            new() { Method = Method(method == nameof(Parts.Asks) ? typeof(SemaphoreSlim) : typeof(Monitor), "Wait") },
            new() { Method = caller, IlOffset = asks },
        ];

        var place = BlameFrame.Find(stack, HandMadeStacks.Frames, s_handler).ShouldNotBeNull().ToSiteFrame(HandMadeStacks.Frames);

        place.Name.ShouldBe(expected);
    }

    [Fact]
    public void Container_IsNamedWithoutALine_WhenNoConstructorMakesTheCall()
    {
        var place = Place(s_handler, Method(typeof(Monitor), nameof(Monitor.Wait)), s_container, s_action, Own);

        place.Frame.ShortName.ShouldBe("ServiceProvider.GetService");
        place.Line.ShouldBeNull();
    }

    [Fact]
    public void Handler_HasNoLine_WhenItMakesNoSuchCall()
    {
        var place = Place(s_handler, Method(typeof(Monitor), nameof(Monitor.Wait)), s_action, Own);

        place.Frame.MethodName.ShouldBe(nameof(Parts.Handler));
        place.Line.ShouldBeNull();
    }

    [Fact]
    public void PagesHandler_IsTheEndpointsMethod_WhenThePageHasOne()
    {
        var method = typeof(Parts).GetMethod(nameof(Parts.Sleeps))!;

        EndpointHandler.Find(PageWith(method)).ShouldBe(method);
        EndpointHandler.Find(PageWith(method, method)).ShouldBeNull();
        Place(method, s_sleep, s_page, Own).Frame.MethodName.ShouldBe(nameof(Parts.Sleeps));
    }

    private static Endpoint PageWith(params MethodInfo[] handlers)
    {
        var page = new CompiledPageActionDescriptor(new PageActionDescriptor())
        {
            HandlerMethods = [.. handlers.Select(h => new HandlerMethodDescriptor { MethodInfo = h })],
        };
        return new Endpoint(null, new EndpointMetadataCollection(page), "page");
    }

    private static SiteFrame Place(MethodBase? handler, params MethodBase?[] stack) =>
        BlameFrame.Find(Of(stack), HandMadeStacks.Frames, handler).ShouldNotBeNull().ToSiteFrame(HandMadeStacks.Frames);

    // Compiled expressions are methods without a type that take a closure.
    private static MethodInfo Compiled<TDelegate>()
        where TDelegate : Delegate
    {
        var parameters = typeof(TDelegate).GetMethod("Invoke")!.GetParameters().Select(p => Expression.Parameter(p.ParameterType))
            .ToArray();
        return Expression.Lambda<TDelegate>(Expression.Constant(null, typeof(object)), parameters).Compile().Method;
    }

    // Reflection's stubs are methods without a type.
    private static MethodInfo Stub(string name)
    {
        var stub = new DynamicMethod(name, typeof(object), [typeof(object), typeof(nint)]);
        var code = stub.GetILGenerator();
        code.Emit(OpCodes.Ldnull);
        code.Emit(OpCodes.Ret);
        return stub.CreateDelegate<Func<object, nint, object?>>().Method;
    }

    private static class Parts
    {
        public static string Handler() => "";

        public static void Sleeps() => Thread.Sleep(0);

        public static string Asks(IServiceProvider services) => services.GetRequiredService<WithASemaphore>().ToString()!;

        public static string AsksForAnother(IServiceProvider services)
        {
            var made = services.GetRequiredService<Sleepy>();
            return made.ToString()!;
        }
    }

    private sealed class Answering : Controller
    {
        public ContentResult Answer() => Content("");
    }

    private sealed class SleepyBinder : IModelBinder
    {
        public Task BindModelAsync(ModelBindingContext bindingContext)
        {
            Thread.Sleep(0);
            return Task.CompletedTask;
        }
    }

    private sealed class WaitingController : ControllerBase
    {
        public WaitingController() => Task.WaitAny(Task.CompletedTask);

        public string Get() => Request.Method;
    }

    private sealed class WaitingForAProcess
    {
        public WaitingForAProcess() => Process.GetCurrentProcess().WaitForExit(0);
    }

    private sealed class WithASemaphore
    {
        public WithASemaphore() => new SemaphoreSlim(1).Wait();
    }

    private sealed class Sleepy
    {
        public Sleepy() => Thread.Sleep(0);
    }

    // The JIT inlines no method that catches exceptions, so this one never vanishes from a stack.
    private sealed class Careful
    {
        public Careful()
        {
            try
            {
                Thread.Sleep(0);
            }
            catch (ThreadInterruptedException)
            {
            }
        }
    }

    private sealed class FirstJoiner
    {
        public FirstJoiner() => Thread.CurrentThread.Join(0);
    }

    private sealed class SecondJoiner
    {
        public SecondJoiner() => Thread.CurrentThread.Join(0);
    }

    private sealed class SleepyResolver : IAssemblyResolver
    {
        public AssemblyDefinition Resolve(AssemblyNameReference name)
        {
            Thread.Sleep(0);
            throw new AssemblyResolutionException(name);
        }

        public AssemblyDefinition Resolve(AssemblyNameReference name, ReaderParameters parameters) => Resolve(name);

        public void Dispose()
        {
        }
    }

    private sealed class WaitingConfiguration(FileConfigurationSource source) : FileConfigurationProvider(source)
    {
        public override void Load(Stream stream) => Task.WaitAll(stream.FlushAsync());
    }

    private sealed class SleepyHub : Hub
    {
        public string Doze()
        {
            Thread.Sleep(0);
            return Context.ConnectionId;
        }

        public string Wake() => Context.ConnectionId;
    }

    private sealed class SleepyViewComponent : ViewComponent
    {
        public string Invoke()
        {
            Thread.Sleep(0);
            return ViewContext.View.Path;
        }
    }
}
