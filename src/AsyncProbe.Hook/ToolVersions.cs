using System.Reflection;

namespace AsyncProbe.Hook;

/// <summary>All versions of the tool that this process has loaded; they can't be unloaded.</summary>
internal static class ToolVersions
{
    private const string Entry = "AsyncProbe.Attach";

    private static readonly Dictionary<string, Assembly> s_loaded = [];

    /// <summary>Loads the version that the folder names, unless it is already loaded, and lets it attach.</summary>
    public static void Attach(ToolFolder folder)
    {
        Assembly attach;
        lock (s_loaded)
        {
            var version = folder.Version;
            if (!s_loaded.TryGetValue(version, out attach!))
            {
                attach = new ToolLoadContext(version).LoadFromAssemblyName(new AssemblyName(Entry));
                s_loaded.Add(version, attach);
            }
        }

        var enter = attach.GetType(Entry + ".Entry", throwOnError: true)!.GetMethod("Attach", [typeof(string)])!;
        enter.CreateDelegate<Action<string>>()(folder.Path);
    }
}
