using System.Runtime.CompilerServices;
using System.Runtime.Loader;

namespace AsyncProbe.FaultHost;

/// <summary>Blocks in code of a load context, as plug-ins do, and unloads it.</summary>
internal static class Unloading
{
    private const int MostCollections = 20;

    /// <returns>"unloaded", or "kept" if something still refers to the code.</returns>
    public static async Task<string> RunAsync()
    {
        var context = Load();
        for (var i = 0; i < MostCollections && context.IsAlive; i++)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
            await Task.Delay(10);
        }

        return context.IsAlive ? "kept" : "unloaded";
    }

    // Not inlined, because a local variable of the caller would keep the context alive.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference Load()
    {
        var context = new AssemblyLoadContext("plug-in", isCollectible: true);
        var plugIn = context.LoadFromAssemblyPath(typeof(Unloading).Assembly.Location);
        plugIn.GetType(typeof(Allowed).FullName!)!.GetMethod(nameof(Allowed.Wait))!.Invoke(null, null);
        context.Unload();
        return new WeakReference(context);
    }
}
