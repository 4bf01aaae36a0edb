using System.Reflection;

namespace AsyncProbe.Hook;

/// <summary>
/// All versions of the tool that this process has loaded; they can't be unloaded. Only one probe at a time is in the process, whatever its
/// version.
/// </summary>
internal static class ToolVersions
{
    private const string Entry = "AsyncProbe.Attach";

    private static readonly Dictionary<string, Assembly> s_loaded = [];

    /// <summary>Lets the version that the folder names attach, and returns after it has left. Waits while another probe is there.</summary>
    public static void Attach(ToolFolder folder)
    {
        lock (s_loaded)
        {
            // When a probe leaves, it removes the folder and what another tool has staged there. That tool stages it again, and then calls
            // again.
            if (folder.Version is { } version)
            {
                Load(version).CreateDelegate<Action<string>>()(folder.Path);
            }
        }
    }

    private static MethodInfo Load(string version)
    {
        if (!s_loaded.TryGetValue(version, out var attach))
        {
            attach = new ToolLoadContext(version).LoadFromAssemblyName(new AssemblyName(Entry));
            s_loaded.Add(version, attach);
        }

        return attach.GetType(Entry + ".Entry", throwOnError: true)!.GetMethod("Attach", [typeof(string)])!;
    }
}
