using AsyncProbe.Blocking.Kinds;
using AsyncProbe.Blocking.Sources;
using AsyncProbe.StackSnapshots.Methods;

namespace AsyncProbe.Cli.Stacks;

/// <summary>A method on a stack of another process, with the names that its runtime reports.</summary>
internal sealed record RemoteFrame
{
    /// <summary>The runtime's type name for methods made at run time: compiled delegates, and stubs of native calls.</summary>
    private const string MadeAtRunTime = "dynamicClass";

    private RemoteFrame(string type, CodePlace place, string module)
    {
        (Type, Method, Module, Place) = (type, place.Method, module, place);
        var parts = type.Split('+');
        var dot = parts[0].LastIndexOf('.');
        Name = FrameName.From(dot < 0 ? null : parts[0][..dot], [parts[0][(dot + 1)..], .. parts[1..]], place.Method);
        Kind = RemoteKinds.Find(parts.Length > 1 ? type : WithoutArity(type), place.Method);
    }

    /// <summary>The type's full name, without type arguments.</summary>
    public string Type { get; }

    public string Method { get; }

    /// <summary>The path of its module as the process sees it; empty when it has none.</summary>
    public string Module { get; }

    public CodePlace Place { get; }

    /// <summary>The name as in the source.</summary>
    public FrameName Name { get; }

    /// <summary>The kind of a wait beneath the method.</summary>
    public WaitKind Kind { get; }

    /// <summary>
    /// Whether a lock beneath it is the framework's own. Users of the framework neither take that lock nor can change it.
    /// </summary>
    public bool TakesOwnLock => KindNames.TakesOwnLock(Type, Method)
        || Name.Full.StartsWith("System.Net.", StringComparison.Ordinal) || Name.Full.StartsWith("Microsoft.", StringComparison.Ordinal);

    /// <summary>Whether it initializes a type that is used for the first time, or waits for the thread that does.</summary>
    public bool IsTypeStart => KindNames.StartsTypes(Type);

    /// <summary>The method with which a pool thread begins to run work.</summary>
    public bool BeginsPoolWork => Type == "System.Threading.ThreadPoolWorkQueue" && Method == "Dispatch";

    /// <summary>
    /// Whether it resumes a state machine. The frames further out completed a task; they didn't call the code further in.
    /// </summary>
    public bool Resumes => Type.Contains("StateMachineBox`", StringComparison.Ordinal)
        || Type == "System.Threading.Tasks.AwaitTaskContinuation" || Method == "RunContinuations";

    /// <summary>Whether it calls an endpoint's method, which optimised code may have inlined into it.</summary>
    public bool CallsHandler => (Type == MadeAtRunTime && !Place.IsNativeCall)
        || Type.StartsWith("Microsoft.AspNetCore.Routing.EndpointMiddleware", StringComparison.Ordinal)
        || Type.StartsWith("Microsoft.AspNetCore.Http.RequestDelegateFactory", StringComparison.Ordinal)
        || Type.StartsWith("Microsoft.AspNetCore.Mvc.Infrastructure.ActionMethodExecutor", StringComparison.Ordinal)
        || Type.StartsWith("Microsoft.AspNetCore.Mvc.Infrastructure.ControllerActionInvoker", StringComparison.Ordinal)
        || Type.StartsWith("Microsoft.AspNetCore.Mvc.RazorPages.Infrastructure.", StringComparison.Ordinal)
        || Type.StartsWith("Microsoft.Extensions.Internal.ObjectMethodExecutor", StringComparison.Ordinal);

    public static RemoteFrame From(CodePlace place, string module) => new(WithoutArguments(place.Type), place, module);

    private static string WithoutArguments(string type) => Before(type, '[');

    private static string WithoutArity(string type) => Before(type, '`');

    private static string Before(string type, char end) =>
        type.IndexOf(end, StringComparison.Ordinal) is >= 0 and var at ? type[..at] : type;
}
