using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using Microsoft.AspNetCore.Http;

namespace AsyncProbe.Blocking.Methods;

/// <summary>What a frame of the framework says about the frames further out.</summary>
internal enum FrameRole
{
    None,

    /// <summary>It resumes a state machine. The frames further out completed a task; they didn't call the code that waits here.</summary>
    Resumption,

    /// <summary>It passes a request on. Application code further out called only the next part of the pipeline.</summary>
    Dispatch,

    /// <summary>Like <see cref="Dispatch"/>, but it may be the last part, which calls the endpoint's method.</summary>
    HandlerCall,

    /// <summary>It calls an application method. The frames further out show whether that is the endpoint's.</summary>
    MethodCall,

    /// <summary>It runs a task's delegate. A tail call may have removed the delegate's frame from the stack.</summary>
    TaskCall,
}

/// <summary>Recognizes the methods of the runtime and the framework that stand between the parts of a request.</summary>
internal static class FrameRoles
{
    /// <summary>How the names of the methods begin that reflection compiles to call others.</summary>
    public const string Stub = "InvokeStub_";

    private const string Container = "Microsoft.Extensions.DependencyInjection.";

    public static FrameRole Get(MethodBase method, FrameOwner owner, ParameterInfo[] parameters)
    {
        if (method.DeclaringType is not { } type)
        {
            return CallsHandler(parameters) ? FrameRole.HandlerCall : CallsMethod(parameters) ? FrameRole.MethodCall : FrameRole.None;
        }

        return owner switch
        {
            FrameOwner.Core => OfCore(type, method.Name),
            FrameOwner.Library => OfLibrary(type, method.Name, parameters),
            _ => FrameRole.None,
        };
    }

    public static bool IsOfContainer(MethodBase method) =>
        method.DeclaringType?.FullName?.StartsWith(Container, StringComparison.Ordinal) == true;

    /// <summary>Whether a method asks the container for an object, which it may have to create.</summary>
    public static bool AsksContainer(MethodBase method) =>
        method.Name is "GetService" or "GetRequiredService" or "GetServices" or "CreateInstance" or "GetServiceOrCreateInstance"
            or "GetKeyedService" or "GetRequiredKeyedService"
        && (IsOfContainer(method) || method.DeclaringType == typeof(IServiceProvider));

    public static bool IsStub(MethodBase method) =>
        method.DeclaringType is null && method.Name.StartsWith(Stub, StringComparison.Ordinal);

    /// <summary>The only part of the application that a framework frame calls; null when it may call anything.</summary>
    public static UserPart? PartOf(MethodBase method, FrameOwner owner, ParameterInfo[] parameters)
    {
        if (method.DeclaringType is not { } type)
        {
            // The container compiles the code that creates an object, and ActivatorUtilities that for a controller. Small constructors are
            // inlined into it. Reflection compiles a stub for each constructor that it calls, with the same effect.
            return parameters.Any(p => p.ParameterType.FullName == Container + "ServiceLookup.ServiceProviderEngineScope")
                || IsObjectFactory(parameters)
                || (IsStub(method) && method.Name.EndsWith("..ctor", StringComparison.Ordinal))
                    ? UserPart.Constructor
                    : null;
        }

        if (owner != FrameOwner.Library || type.FullName is not { } name)
        {
            return null;
        }

        if (name.StartsWith(Container + "ServiceLookup.ServiceProviderEngineScope", StringComparison.Ordinal)
            && (method.Name + type.Name).Contains("Dispose", StringComparison.Ordinal))
        {
            return UserPart.Disposal;
        }

        return name.StartsWith(Container + "ServiceLookup.", StringComparison.Ordinal) || name == Container + "ServiceProvider"
            || name.StartsWith(Container + "ActivatorUtilities", StringComparison.Ordinal)
            || name.StartsWith("Microsoft.AspNetCore.Mvc.Controllers.ControllerFactoryProvider", StringComparison.Ordinal)
            || name.StartsWith("Microsoft.AspNetCore.Mvc.Controllers.ControllerActivatorProvider", StringComparison.Ordinal)
            ? UserPart.Constructor
            : name.StartsWith("Microsoft.AspNetCore.Mvc.ViewComponents.", StringComparison.Ordinal) ? UserPart.ViewComponent
            : name.StartsWith("Microsoft.AspNetCore.Mvc.ModelBinding.", StringComparison.Ordinal) ? UserPart.ModelBinder
            : name.StartsWith("Microsoft.AspNetCore.SignalR.Internal.DefaultHubDispatcher", StringComparison.Ordinal) ? UserPart.HubMethod
            : null;
    }

    private static bool IsObjectFactory(ParameterInfo[] parameters) =>
        parameters is [.., { ParameterType: var services }, { ParameterType: var arguments }]
            && services == typeof(IServiceProvider) && arguments == typeof(object[]);

    /// <summary>
    /// Whether the framework compiled a method at startup to call an endpoint's method. Such a method is optimised at once, so a small
    /// endpoint method and its callees can be inlined into it, and no application frame is left on the stack. After its closure it takes an
    /// HttpContext (minimal APIs) or an invocation context (their filters).
    /// </summary>
    private static bool CallsHandler(ParameterInfo[] parameters) =>
        parameters.Any(p => p.ParameterType == typeof(HttpContext) || p.ParameterType == typeof(EndpointFilterInvocationContext));

    /// <summary>
    /// Whether a method takes a request, or a context of MVC's filters. Such a method is a part of the pipeline, or was called by one.
    /// </summary>
    public static bool TakesRequest(ParameterInfo[] parameters) =>
        CallsHandler(parameters)
        || parameters.Any(p => p.ParameterType is { Namespace: "Microsoft.AspNetCore.Mvc.Filters", Name: var name }
            && name.EndsWith("Context", StringComparison.Ordinal));

    // The same with a target and an array of arguments: used for actions, view components and hub methods.
    private static bool CallsMethod(ParameterInfo[] parameters) =>
        parameters is [_, { ParameterType: var target }, { ParameterType: var arguments }] && target == typeof(object)
            && arguments == typeof(object[]);

    private static FrameRole OfCore(Type type, string method)
    {
        // State machine boxes are nested in the method builders, pooled or not. The other types run the continuations of a completed task.
        var resumes = type.Name.StartsWith("AsyncStateMachineBox", StringComparison.Ordinal)
            || type.Name.StartsWith("StateMachineBox", StringComparison.Ordinal)
            || (type.Namespace == "System.Threading.Tasks" && (type.Name == "AwaitTaskContinuation" || method == "RunContinuations"))
            || (type.Name.StartsWith("ManualResetValueTaskSourceCore", StringComparison.Ordinal)
                && method is "SignalCompletion" or "InvokeContinuation");
        return resumes ? FrameRole.Resumption : RunsATask(type, method) ? FrameRole.TaskCall : FrameRole.None;
    }

    // In optimised code a tail call may remove these frames too, so any of them may be the innermost one left.
    private static bool RunsATask(Type type, string method) =>
        method is "InnerInvoke" or "ExecuteWithThreadLocal" or "ExecuteEntryUnsafe"
            ? type.Namespace == "System.Threading.Tasks"
            : method.StartsWith("Run", StringComparison.Ordinal) && type == typeof(ExecutionContext);

    private static FrameRole OfLibrary(Type type, string method, ParameterInfo[] parameters)
    {
        // Optimised code inlines the compiled call of the endpoint's method into any of these, which are then the only frames left of it.
        // Also, a snapshot can't name the compiled call.
        for (var outer = type; outer is not null; outer = outer.DeclaringType)
        {
            switch (outer.FullName)
            {
                case "Microsoft.AspNetCore.Routing.EndpointMiddleware":
                case "Microsoft.AspNetCore.Http.RequestDelegateFactory":
                case "Microsoft.AspNetCore.Mvc.Infrastructure.ActionMethodExecutor":
                case "Microsoft.AspNetCore.Mvc.Infrastructure.ControllerActionInvoker":
                case "Microsoft.AspNetCore.Mvc.RazorPages.Infrastructure.ExecutorFactory":
                case "Microsoft.AspNetCore.Mvc.RazorPages.Infrastructure.PageActionInvoker":
                    return FrameRole.HandlerCall;
                case "Microsoft.AspNetCore.Mvc.RazorPages.PageModel" when (method + type.Name).Contains(
                    "OnPageHandlerExecution", StringComparison.Ordinal):
                    return FrameRole.HandlerCall;
                case "Microsoft.Extensions.Internal.ObjectMethodExecutor":
                    return FrameRole.MethodCall;
                case "Microsoft.AspNetCore.Mvc.Infrastructure.ResourceInvoker":
                    return FrameRole.Dispatch;
            }
        }

        var isMiddleware = method is "Invoke" or "InvokeAsync" && parameters is [{ ParameterType: var first }, ..]
            && first == typeof(HttpContext);
        return isMiddleware || IsMiddlewareAfterItsFirstAwait(type, method) ? FrameRole.Dispatch : FrameRole.None;
    }

    // Matches "<Invoke>d__6" in a type that has such a method.
    [UnconditionalSuppressMessage("Trimming", "IL2075", Justification = "Code that runs was not trimmed.")]
    private static bool IsMiddlewareAfterItsFirstAwait(Type type, string method) =>
        method == "MoveNext"
        && type.Name.StartsWith("<Invoke", StringComparison.Ordinal)
        && type.DeclaringType?.GetMember("Invoke*", MemberTypes.Method, BindingFlags.Public | BindingFlags.Instance)
            .Any(m => ((MethodInfo)m).GetParameters() is [{ ParameterType: var first }, ..] && first == typeof(HttpContext)) == true;
}
