using System.Reflection;
using System.Runtime.Loader;

namespace AsyncProbe.Hook;

/// <summary>
/// Isolates AsyncProbe from the application, which may use another version of it, and from other versions of the tool. All other assemblies
/// are the application's own.
/// </summary>
internal sealed class ToolLoadContext(string folder) : AssemblyLoadContext(System.IO.Path.GetFileName(folder))
{
    private const int NewestBuild = 10;

    private readonly string _folder = Path.Combine(folder, Environment.Version.Major >= NewestBuild ? "net10.0" : "net8.0");

    protected override Assembly? Load(AssemblyName assemblyName)
    {
        var path = Path.Combine(_folder, assemblyName.Name + ".dll");
        return File.Exists(path) ? LoadFromAssemblyPath(path) : null;
    }
}
