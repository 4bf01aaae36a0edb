using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using Microsoft.AspNetCore.Http;

namespace AsyncProbe.Blocking.Stacks;

/// <summary>What a frame of the framework says about the frames further out.</summary>
internal enum FrameRole
{
    None,

    /// <summary>It resumes a state machine: whatever is further out has completed a task, and called nothing of what waits here.</summary>
    Resumption,

    /// <summary>It passes a request on: own code further out called only the next part of the pipeline.</summary>
    Dispatch,

    /// <summary>The same, and it may be the last part, which calls the endpoint's own method.</summary>
    HandlerCall,

    /// <summary>It calls a method of the application's; the frames further out say whether it is the endpoint's.</summary>
    MethodCall,

    /// <summary>It runs a task's delegate, which a tail call may have taken off the stack.</summary>
    TaskCall,
}

/// <summary>Knows the methods of the runtime and the framework that stand between parts of a request.</summary>
internal static class FrameRoles
{
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

    /// <summary>
    /// What a frame of the framework calls of the application, when it calls nothing else of it; null when it may call anything.
    /// </summary>
    public static UserPart? PartOf(MethodBase method, FrameOwner owner, ParameterInfo[] parameters)
    {
        if (method.DeclaringType is not { } type)
        {
            // The container compiles what makes an object, and takes small constructors in.
            return parameters.Any(p => p.ParameterType.FullName == Container + "ServiceLookup.ServiceProviderEngineScope")
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
            ? UserPart.Constructor
            : name.StartsWith("Microsoft.AspNetCore.Mvc.ViewComponents.", StringComparison.Ordinal) ? UserPart.ViewComponent
            : name.StartsWith("Microsoft.AspNetCore.Mvc.ModelBinding.", StringComparison.Ordinal) ? UserPart.ModelBinder
            : name.StartsWith("Microsoft.AspNetCore.SignalR.Internal.DefaultHubDispatcher", StringComparison.Ordinal) ? UserPart.HubMethod
            : null;
    }

    /// <summary>
    /// What the framework compiled at start to call an endpoint's method. It is optimised at once and, in optimised code, takes a small
    /// method into itself, and what that calls too: then no frame of the application is left on the stack. Behind the closure: minimal
    /// APIs and their filters.
    /// </summary>
    private static bool CallsHandler(ParameterInfo[] parameters) =>
        parameters.Any(p => p.ParameterType == typeof(HttpContext) || p.ParameterType == typeof(EndpointFilterInvocationContext));

    // The same with a target and its arguments: for actions, and for view components and hub methods too.
    private static bool CallsMethod(ParameterInfo[] parameters) =>
        parameters is [_, { ParameterType: var target }, { ParameterType: var arguments }] && target == typeof(object)
            && arguments == typeof(object[]);

    private static FrameRole OfCore(Type type, string method)
    {
        // Nested in the method builders, pooled or not; and what runs the continuations of a task that has completed.
        var resumes = type.Name.StartsWith("AsyncStateMachineBox", StringComparison.Ordinal)
            || type.Name.StartsWith("StateMachineBox", StringComparison.Ordinal)
            || (type.Namespace == "System.Threading.Tasks" && (type.Name == "AwaitTaskContinuation" || method == "RunContinuations"))
            || (type.Name.StartsWith("ManualResetValueTaskSourceCore", StringComparison.Ordinal)
                && method is "SignalCompletion" or "InvokeContinuation");
        return resumes ? FrameRole.Resumption : RunsATask(type, method) ? FrameRole.TaskCall : FrameRole.None;
    }

    // A tail call takes these off the stack too, as far as optimised code has it so: any of them may be the innermost that is left.
    private static bool RunsATask(Type type, string method) =>
        method is "InnerInvoke" or "ExecuteWithThreadLocal" or "ExecuteEntryUnsafe"
            ? type.Namespace == "System.Threading.Tasks"
            : method.StartsWith("Run", StringComparison.Ordinal) && type == typeof(ExecutionContext);

    private static FrameRole OfLibrary(Type type, string method, ParameterInfo[] parameters)
    {
        // Optimised code takes the compiled call of the method into any of these, so that they are all that is left of it; and a snapshot
        // cannot name the compiled call.
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

    // "<Invoke>d__6" of a type that has such a method.
    [UnconditionalSuppressMessage("Trimming", "IL2075", Justification = "Code that runs was not trimmed.")]
    private static bool IsMiddlewareAfterItsFirstAwait(Type type, string method) =>
        method == "MoveNext"
        && type.Name.StartsWith("<Invoke", StringComparison.Ordinal)
        && type.DeclaringType?.GetMember("Invoke*", MemberTypes.Method, BindingFlags.Public | BindingFlags.Instance)
            .Any(m => ((MethodInfo)m).GetParameters() is [{ ParameterType: var first }, ..] && first == typeof(HttpContext)) == true;
}
