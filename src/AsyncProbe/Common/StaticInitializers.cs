using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.Versioning;

namespace AsyncProbe.Common;

/// <summary>
/// Runs the static initializers of a package while the host starts. An initializer that fails makes its type unusable until the process
/// ends. If a type is first used later, during an incident, the process may be out of memory.
/// </summary>
internal static class StaticInitializers
{
    private static int s_haveRun;

    /// <summary>Runs the initializers of AsyncProbe itself, once per process.</summary>
    public static void RunAll()
    {
        if (Interlocked.Exchange(ref s_haveRun, 1) == 0)
        {
            Run(typeof(StaticInitializers).Assembly);
        }
    }

    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = "A type that was trimmed away has no initializer to run.")]
    public static void Run(Assembly package)
    {
        try
        {
            foreach (var type in package.GetTypes())
            {
                if (!type.ContainsGenericParameters && IsForThisPlatform(type))
                {
                    TryRun(type.TypeHandle);
                }
            }
        }
        catch (Exception)
        {
            Faults.NoteQuietly();
        }
    }

    private static bool IsForThisPlatform(Type type) =>
        type.GetCustomAttribute<SupportedOSPlatformAttribute>() is not { } platform || OperatingSystem.IsOSPlatform(platform.PlatformName);

    [UnconditionalSuppressMessage("Trimming", "IL2059", Justification = "As above.")]
    private static void TryRun(RuntimeTypeHandle type)
    {
        try
        {
            RuntimeHelpers.RunClassConstructor(type);
        }
        catch (Exception)
        {
            Faults.NoteQuietly();
        }
    }
}
