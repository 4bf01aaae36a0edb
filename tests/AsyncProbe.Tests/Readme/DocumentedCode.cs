using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace AsyncProbe.Tests.Readme;

/// <summary>Compiles an example unchanged, with only the implicit usings of a web project.</summary>
internal static class DocumentedCode
{
    private const string WebUsings = """
        global using System;
        global using System.Collections.Generic;
        global using System.IO;
        global using System.Linq;
        global using System.Net.Http;
        global using System.Net.Http.Json;
        global using System.Threading;
        global using System.Threading.Tasks;
        global using Microsoft.AspNetCore.Builder;
        global using Microsoft.AspNetCore.Hosting;
        global using Microsoft.AspNetCore.Http;
        global using Microsoft.AspNetCore.Routing;
        global using Microsoft.Extensions.Configuration;
        global using Microsoft.Extensions.DependencyInjection;
        global using Microsoft.Extensions.Hosting;
        global using Microsoft.Extensions.Logging;
        """;

    // The types that an example assumes the reader has.
    private const string Yours = "public class Checkout { public System.Threading.Tasks.Task RunAsync() => "
        + "System.Threading.Tasks.Task.CompletedTask; }";

    private static readonly IReadOnlyList<MetadataReference> s_references =
    [
        .. ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator)
            .Where(path => !Path.GetFileName(path).StartsWith("AsyncProbe.Tests", StringComparison.Ordinal))
            .Select(path => MetadataReference.CreateFromFile(path)),
    ];

    /// <returns>The errors; empty if it compiles.</returns>
    public static IReadOnlyList<string> Errors(string code)
    {
        var example = CSharpSyntaxTree.ParseText(code);
        var hasStatements = example.GetCompilationUnitRoot().Members.OfType<GlobalStatementSyntax>().Any();
        var compilation = CSharpCompilation.Create(
            "Example",
            [example, CSharpSyntaxTree.ParseText(WebUsings), CSharpSyntaxTree.ParseText(Yours)],
            s_references,
            new CSharpCompilationOptions(hasStatements ? OutputKind.ConsoleApplication : OutputKind.DynamicallyLinkedLibrary));
        return [.. compilation.GetDiagnostics().Where(d => d.Severity == DiagnosticSeverity.Error).Select(d => d.ToString())];
    }
}
