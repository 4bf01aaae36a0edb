using System.Diagnostics;
using System.Reflection;
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

    // Compile against the assemblies that the tests themselves run on.
    private static readonly IReadOnlyList<MetadataReference> s_references =
    [
        .. ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator)
            .Where(p => Path.GetFileName(p) is var name
                && (name.StartsWith("System.", StringComparison.Ordinal) || name.StartsWith("Microsoft.", StringComparison.Ordinal)
                || name.StartsWith("AsyncProbe", StringComparison.Ordinal) || name is "netstandard.dll" or "mscorlib.dll"))
            .Select(p => MetadataReference.CreateFromFile(p)),
    ];

    /// <returns>The assembly's path.</returns>
    public static string Compile(IReadOnlyCollection<Row> rows, RuntimeSetting setting, string folder)
    {
        Directory.CreateDirectory(folder);
        var options = new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary)
            .WithOptimizationLevel(setting.IsOptimized ? OptimizationLevel.Release : OptimizationLevel.Debug)
            .WithNullableContextOptions(NullableContextOptions.Enable);
        var compilation = CSharpCompilation.Create(
            AssemblyName,
            [Parse("Rows", RowSource.WriteIndex(rows), folder), .. rows.Select(r => Parse(r.Name, RowSource.Write(r), folder))],
            s_references, options);
        var path = Path.Combine(folder, AssemblyName + ".dll");
        using (var image = File.Create(path))
        using (var symbols = File.Create(Path.ChangeExtension(path, ".pdb")))
        {
            Emit(compilation, image, symbols);
        }

        return setting.IsPrecompiled ? Precompile(path) : path;
    }

    private static void Emit(CSharpCompilation compilation, Stream image, Stream symbols)
    {
        var result = compilation.Emit(image, symbols, options: new EmitOptions(debugInformationFormat: DebugInformationFormat.PortablePdb));
        result.Success.ShouldBeTrue(string.Join('\n', result.Diagnostics.Where(d => d.Severity == DiagnosticSeverity.Error).Take(10)));
    }

    // The same compiler that publishing with PublishReadyToRun uses.
    private static string Precompile(string path)
    {
        var compiled = Path.Combine(
            Directory.CreateDirectory(Path.Combine(Path.GetDirectoryName(path)!, "compiled")).FullName, Path.GetFileName(path));
        var compiler = typeof(RowCompiler).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>()
            .Single(m => m.Key == "Crossgen2").Value!;
        using var process = Process.Start(new ProcessStartInfo(
            compiler, [path, "-O", "--targetos", "linux", "-o", compiled, .. s_references.SelectMany(r => new[] { "-r", r.Display! })])
        {
            RedirectStandardOutput = true,
        })!;
        var said = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        process.ExitCode.ShouldBe(0, said);
        File.Copy(Path.ChangeExtension(path, ".pdb"), Path.ChangeExtension(compiled, ".pdb"), overwrite: true);
        return compiled;
    }

    // Keep the source next to the assembly, so that a finding can be inspected.
    private static SyntaxTree Parse(string name, string code, string folder)
    {
        var path = Path.Combine(folder, name + ".cs");
        File.WriteAllText(path, code);
        return CSharpSyntaxTree.ParseText(SourceText.From(code, Encoding.UTF8), path: path);
    }
}
