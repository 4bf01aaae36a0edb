using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Runtime.CompilerServices;
using Microsoft.AspNetCore.Http;

namespace AsyncProbe.Blocking.Methods;

/// <summary>Distinguishes packages that the application chose from the shared framework.</summary>
internal static class Libraries
{
    private static readonly HashSet<string> s_frameworks =
    [
        .. new[] { typeof(object), typeof(HttpContext) }.Select(t => FolderOf(t.Assembly)).OfType<string>(),
    ];

    // Weak, so that a plugin's assemblies can be unloaded. An empty string means that the assembly is not a package.
    private static readonly ConditionalWeakTable<Assembly, string> s_known = [];

    /// <summary>The name of a package's assembly; null for an assembly of the shared framework.</summary>
    public static string? NameOf(Assembly assembly) =>
        s_known.GetValue(assembly, static a => Find(a) ?? "") is { Length: > 0 } name ? name : null;

    private static string? Find(Assembly assembly)
    {
        if (assembly.IsDynamic || assembly.GetName().Name is not { } name)
        {
            return null;
        }

        // A single-file app has no folders, and neither do its frameworks, so only names can tell them apart.
        return FolderOf(assembly) is { } folder ? (s_frameworks.Contains(folder) ? null : name)
            : IsNamedLikeTheFramework(name) ? null
            : name;
    }

    private static bool IsNamedLikeTheFramework(string name) =>
        name.StartsWith("System.", StringComparison.Ordinal) || name.StartsWith("Microsoft.AspNetCore.", StringComparison.Ordinal)
            || name.StartsWith("Microsoft.Extensions.", StringComparison.Ordinal);

    [UnconditionalSuppressMessage("SingleFile", "IL3000", Justification = "The caller goes by the name of an assembly without a file.")]
    private static string? FolderOf(Assembly assembly) =>
        assembly.Location is { Length: > 0 } path ? Path.GetDirectoryName(path) : null;
}
