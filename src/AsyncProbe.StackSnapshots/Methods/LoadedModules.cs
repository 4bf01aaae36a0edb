using System.Diagnostics.CodeAnalysis;
using System.Reflection;

namespace AsyncProbe.StackSnapshots.Methods;

/// <summary>Finds a method of this process by the path of its module and its metadata token.</summary>
/// <param name="paths">The path of each module, by the runtime's module id.</param>
internal sealed class LoadedModules(IReadOnlyDictionary<ulong, string> paths)
{
    private readonly Assembly[] _assemblies = [.. AppDomain.CurrentDomain.GetAssemblies().Where(a => !a.IsDynamic)];
    private readonly Dictionary<ulong, Module?> _modules = [];

    [UnconditionalSuppressMessage("Trimming", "IL2026",
        Justification = "The token comes from the trimmed module itself, and a method that is on a stack is still in it.")]
    public MethodBase? MethodOf(CodePlace code)
    {
        if (!_modules.TryGetValue(code.ModuleId, out var module))
        {
            _modules[code.ModuleId] = module = Find(paths.GetValueOrDefault(code.ModuleId));
        }

        try
        {
            return module?.ResolveMethod(code.Token);
        }
        catch (Exception e) when (e is ArgumentException or BadImageFormatException or TypeLoadException or IOException)
        {
            // For code that was generated at run time, the token belongs to no metadata or doesn't exist.
            return null;
        }
    }

    [UnconditionalSuppressMessage("SingleFile", "IL3000", Justification = "An assembly without a place is found by its name.")]
    private Module? Find(string? path)
    {
        if (string.IsNullOrEmpty(path))
        {
            return null;
        }

        // The assemblies of a single-file app have no path, so compare their names.
        var assembly = Array.Find(_assemblies, a => a.Location == path)
            ?? Array.Find(_assemblies, a => a.Location.Length == 0 && a.GetName().Name == Path.GetFileNameWithoutExtension(path));
        return assembly?.ManifestModule;
    }
}
