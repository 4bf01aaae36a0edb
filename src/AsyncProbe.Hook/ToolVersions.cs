using System.Reflection;

namespace AsyncProbe.Hook;

/// <summary>The versions of the tool that were ever loaded into this process.</summary>
internal static class ToolVersions
{
    private const string Entry = "AsyncProbe.Attach";

    private static readonly Dictionary<string, Assembly> s_loaded = [];

    /// <summary>Loads the version that the folder asks for, unless it is there already, and lets it attach.</summary>
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
