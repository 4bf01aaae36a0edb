using System.Collections.Concurrent;
using System.Diagnostics;
using System.Runtime.Loader;

namespace Shop;

/// <summary>Figures that an attached probe must not change.</summary>
internal static class Counters
{
    private static long s_requests;
    private static long s_activities;
    private static long s_contexts;
    private static ConcurrentDictionary<string, int> s_exceptions = [];

    public static void Use(IApplicationBuilder app)
    {
        AppDomain.CurrentDomain.FirstChanceException += (_, e) =>
            s_exceptions.AddOrUpdate($"{e.Exception.GetType()} {e.Exception.StackTrace?.Trim()}", 1, (_, count) => count + 1);
        app.Use((HttpContext context, RequestDelegate next) =>
        {
            if (context.Request.Path == "/counters")
            {
                return next(context);
            }

            Interlocked.Increment(ref s_requests);
            Interlocked.Add(ref s_activities, Activity.Current is null ? 0 : 1);
            Interlocked.Add(ref s_contexts, SynchronizationContext.Current is null ? 0 : 1);
            return next(context);
        });
    }

    public static object Read(DiagnosticListener events) => new
    {
        Requests = Interlocked.Exchange(ref s_requests, 0),
        Activities = Interlocked.Exchange(ref s_activities, 0),
        Contexts = Interlocked.Exchange(ref s_contexts, 0),
        Exceptions = Interlocked.Exchange(ref s_exceptions, []),
        Followed = events.IsEnabled("Microsoft.AspNetCore.Hosting.BeginRequest"),
        Timers.Ticks,
        Threads = Process.GetCurrentProcess().Threads.Count,
        Memory = GC.GetTotalMemory(forceFullCollection: true),
        Environment.ProcessId,
        LoadContexts = AssemblyLoadContext.All
            .ToDictionary(context => context.Name ?? "", context => context.Assemblies.Select(assembly => assembly.GetName().Name).Order()),
        StartupHooks = Environment.GetEnvironmentVariable("DOTNET_STARTUP_HOOKS"),
        OtherHook = Environment.GetEnvironmentVariable("OTHER_HOOK"),
        Assemblies = AppDomain.CurrentDomain.GetAssemblies().Select(assembly => assembly.GetName().Name).Order(),
    };
}
