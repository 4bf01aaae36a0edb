using System.Reflection;
using System.Runtime.Loader;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;
using Microsoft.AspNetCore.Routing.Patterns;
using Microsoft.Extensions.Primitives;

namespace AsyncProbe.Tests.Blocking.Stacks;

/// <summary>
/// The content of a plugin. The test loads it a second time, from this assembly's file, into a separate context that can be unloaded.
/// </summary>
public static class PluginHandlers
{
    public static string Blocks()
    {
        Task.Delay(Waiting.LongEnoughMs).Wait();
        return "blocked";
    }

    public static async Task<string> BlocksLater()
    {
        await Task.Yield();
        Task.Delay(Waiting.LongEnoughMs).Wait();
        return "blocked";
    }

    public static async Task WritesItself(HttpContext context)
    {
        Task.Delay(Waiting.LongEnoughMs).Wait();
        await context.Response.WriteAsync("blocked");
    }
}

/// <summary>The endpoints of a plugin that comes and goes while the application runs.</summary>
internal sealed class PluginEndpoints : EndpointDataSource, IDisposable
{
    private CancellationTokenSource _change = new();
    private List<Endpoint> _endpoints = [];

    public override IReadOnlyList<Endpoint> Endpoints => _endpoints;

    public override IChangeToken GetChangeToken() => new CancellationChangeToken(_change.Token);

    /// <returns>A reference that shows whether it has been unloaded.</returns>
    public WeakReference Load()
    {
        var context = new AssemblyLoadContext("plugin", isCollectible: true);
        var type = context.LoadFromAssemblyPath(typeof(PluginHandlers).Assembly.Location).GetType(typeof(PluginHandlers).FullName!)!;
        Set([.. type.GetMethods(BindingFlags.Public | BindingFlags.Static).Select(Create)]);
        return new WeakReference(context);
    }

    public void Unload()
    {
        var context = AssemblyLoadContext.GetLoadContext(_endpoints[0].Metadata.GetMetadata<MethodInfo>()!.Module.Assembly)!;
        Set([]);
        context.Unload();
    }

    public void Dispose() => _change.Dispose();

    private static Endpoint Create(MethodInfo method)
    {
        var handler = method.ReturnType == typeof(Task)
            ? method.CreateDelegate<RequestDelegate>()
            : RequestDelegateFactory.Create(method).RequestDelegate;
        var builder = new RouteEndpointBuilder(handler, RoutePatternFactory.Parse("/" + method.Name), 0);
        builder.Metadata.Add(method);
        builder.Metadata.Add(new HttpMethodMetadata(["GET"]));
        return builder.Build();
    }

    private void Set(List<Endpoint> endpoints)
    {
        _endpoints = endpoints;
        using var change = Interlocked.Exchange(ref _change, new CancellationTokenSource());
        change.Cancel();
    }
}
