using System.Reflection;
using Microsoft.AspNetCore.Http;

namespace AsyncProbe.Blocking;

/// <summary>Whose code a frame is.</summary>
internal enum FrameOwner
{
    /// <summary>The application's.</summary>
    Own,

    /// <summary>What tells of the wait: on top of every stack, and never to blame.</summary>
    Hook,

    /// <summary>AsyncProbe's, at work for itself.</summary>
    Probe,

    /// <summary>AsyncProbe's, where it calls the application: what waits above it is not the probe.</summary>
    ProbeEntry,

    /// <summary>The runtime's core, where waits end.</summary>
    Core,

    Library,
}

/// <summary>What is known about a method, found out once.</summary>
internal sealed class FrameInfo(MethodBase method, FrameOwner owner, WaitKind kind)
{
    private readonly Lazy<FrameName> _name = new(() => FrameName.Of(method), LazyThreadSafetyMode.PublicationOnly);

    public MethodBase Method { get; } = method;

    public FrameOwner Owner { get; } = owner;

    public WaitKind Kind { get; } = kind;

    public bool IsPublic { get; } = method.IsPublic && method.DeclaringType is { IsVisible: true } type && !IsReporting(type);

    /// <summary>A library's entry for requests.</summary>
    public bool IsMiddleware { get; } =
        owner == FrameOwner.Library && method.Name is "Invoke" or "InvokeAsync" && method.GetParameters() is [{ ParameterType: var first }, ..] && first == typeof(HttpContext);

    /// <summary>
    /// What the framework compiled at start to call an endpoint's method. It is optimised at once and, in optimised code, takes a small
    /// method into itself, and what that calls too: then no frame of the application is left on the stack.
    /// </summary>
    public bool IsHandlerCall { get; } = method.DeclaringType is null && CallsHandler(method.GetParameters());

    public string FullName => _name.Value.Full;

    public string ShortName => _name.Value.Short;

    // Behind the closure: minimal APIs, their filters, and MVC's target and arguments.
    private static bool CallsHandler(ParameterInfo[] parameters) =>
        parameters.Any(p => p.ParameterType == typeof(HttpContext) || p.ParameterType == typeof(EndpointFilterInvocationContext))
        || parameters is [_, { ParameterType: var target }, { ParameterType: var arguments }] && target == typeof(object) && arguments == typeof(object[]);

    // EF Core tells of a command from deep inside its logging, which is not what blocked.
    private static bool IsReporting(Type type) => type.Namespace is "Microsoft.EntityFrameworkCore.Diagnostics" or "System.Diagnostics";
}
