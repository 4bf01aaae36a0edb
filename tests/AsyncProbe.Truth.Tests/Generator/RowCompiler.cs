using System.Text;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Emit;
using Microsoft.CodeAnalysis.Text;

namespace AsyncProbe.Truth.Tests.Generator;

/// <summary>Compiles rows into an assembly with symbols, as a build would.</summary>
internal static class RowCompiler
{
    public const string AssemblyName = "TruthRows";

    // Compiled against what the tests themselves run on.
    private static readonly IReadOnlyList<MetadataReference> s_references =
    [
        .. ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator)
            .Where(p => Path.GetFileName(p) is var name && (name.StartsWith("System.", StringComparison.Ordinal) || name.StartsWith("Microsoft.", StringComparison.Ordinal)
                || name.StartsWith("AsyncProbe", StringComparison.Ordinal) || name is "netstandard.dll" or "mscorlib.dll"))
            .Select(p => MetadataReference.CreateFromFile(p)),
    ];

    /// <returns>The assembly's path.</returns>
    public static string Compile(IReadOnlyCollection<Row> rows, bool isOptimized, string folder)
    {
        Directory.CreateDirectory(folder);
        var options = new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary)
            .WithOptimizationLevel(isOptimized ? OptimizationLevel.Release : OptimizationLevel.Debug)
            .WithNullableContextOptions(NullableContextOptions.Enable);
        var compilation = CSharpCompilation.Create(
            AssemblyName, [Parse("Rows", RowSource.WriteIndex(rows), folder), .. rows.Select(r => Parse(r.Name, RowSource.Write(r), folder))], s_references, options);
        var path = Path.Combine(folder, AssemblyName + ".dll");
        using var image = File.Create(path);
        using var symbols = File.Create(Path.ChangeExtension(path, ".pdb"));
        var result = compilation.Emit(image, symbols, options: new EmitOptions(debugInformationFormat: DebugInformationFormat.PortablePdb));
        result.Success.ShouldBeTrue(string.Join('\n', result.Diagnostics.Where(d => d.Severity == DiagnosticSeverity.Error).Take(10)));
        return path;
    }

    // Kept beside the assembly, so that a finding can be looked at.
    private static SyntaxTree Parse(string name, string code, string folder)
    {
        var path = Path.Combine(folder, name + ".cs");
        File.WriteAllText(path, code);
        return CSharpSyntaxTree.ParseText(SourceText.From(code, Encoding.UTF8), path: path);
    }
}
