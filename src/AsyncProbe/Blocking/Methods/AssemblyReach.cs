using System.Diagnostics.CodeAnalysis;
using System.Reflection;

namespace AsyncProbe.Blocking.Methods;

/// <summary>
/// Whether a library's method can lead to a method of another library: whether its assembly refers to the other one, directly or through
/// others. Callbacks are left out. They go through delegates and open methods, which may lead anywhere.
/// </summary>
internal static class AssemblyReach
{
    public static bool MayLead(MethodBase from, FrameInfo to) =>
        to.Method?.Module.Assembly is not { } target || target == typeof(object).Assembly || MayLead(from.Module.Assembly, target);

    /// <summary>Whether an assembly refers to another one directly.</summary>
    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = "A reference that was trimmed away leads nowhere.")]
    public static bool Refers(Assembly from, Assembly to) =>
        from.GetReferencedAssemblies().Any(reference => reference.Name == to.GetName().Name);

    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = "A reference that was trimmed away leads nowhere.")]
    private static bool MayLead(Assembly from, Assembly to)
    {
        var loaded = AppDomain.CurrentDomain.GetAssemblies().ToLookup(assembly => assembly.GetName().Name);
        HashSet<Assembly> seen = [from];
        Queue<Assembly> next = new(seen);
        while (next.TryDequeue(out var assembly))
        {
            if (assembly == to)
            {
                return true;
            }

            foreach (var known in assembly.GetReferencedAssemblies().SelectMany(reference => loaded[reference.Name]).Where(seen.Add))
            {
                next.Enqueue(known);
            }
        }

        return false;
    }
}
