using Mono.Cecil;

namespace AsyncProbe.Tests.House;

/// <summary>All methods of the compiled packages, including the methods that the compiler added.</summary>
internal static class CompiledPackages
{
    private static readonly string[] s_files = ["AsyncProbe.dll", "AsyncProbe.StackSnapshots.dll"];

    public static IEnumerable<MethodDefinition> Methods() =>
        s_files
            .Select(file => Path.Combine(AppContext.BaseDirectory, file))
            .SelectMany(path => AssemblyDefinition.ReadAssembly(path).MainModule.GetTypes())
            .SelectMany(type => type.Methods)
            .Where(method => method.HasBody);
}
