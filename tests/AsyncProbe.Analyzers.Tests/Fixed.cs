using AsyncProbe.Analyzers.CodeFixes;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Diagnostics;

namespace AsyncProbe.Analyzers.Tests;

/// <summary>A source in an editor's workspace, and the result of applying the first fix.</summary>
internal static class Fixed
{
    /// <summary>The new source, which must compile completely; null when no fix is offered.</summary>
    /// <param name="source">The whole source.</param>
    /// <param name="sites">The call sites of the report.</param>
    public static async Task<(string Title, string Source)?> FirstAsync(string source, params object[] sites)
    {
        using var workspace = new AdhocWorkspace();
        var project = ProjectId.CreateNewId();
        var id = DocumentId.CreateNewId(project);
        var options = new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary, allowUnsafe: true);
        var document = workspace.CurrentSolution
            .AddProject(
                ProjectInfo.Create(project, VersionStamp.Default, "shop", "shop", LanguageNames.CSharp, compilationOptions: options))
            .WithProjectMetadataReferences(project, Compiled.References)
            .AddDocument(id, "Store.cs", source, filePath: "/repo/src/Shop/Store.cs")
            .GetDocument(id)!;
        var compilation = (await document.Project.GetCompilationAsync())!;
        compilation.GetDiagnostics().Where(d => d.Severity == DiagnosticSeverity.Error).ShouldBeEmpty();
        var analyzed = compilation.WithAnalyzers(
            [new BlockedLineAnalyzer()], new AnalyzerOptions([new Compiled.Report("/repo/report.json", Reported.Server(sites))]));
        var found = await analyzed.GetAnalyzerDiagnosticsAsync();
        found.ShouldNotBeEmpty();

        var actions = new List<CodeAction>();
        var provider = new AwaitCodeFixProvider();
        foreach (var diagnostic in found.Where(d => provider.FixableDiagnosticIds.Contains(d.Id)))
        {
            await provider.RegisterCodeFixesAsync(
                new CodeFixContext(document, diagnostic, (action, _) => actions.Add(action), CancellationToken.None));
        }

        return actions.Count == 0 ? null : (actions[0].Title, await ApplyAsync(actions[0], id));
    }

    private static async Task<string> ApplyAsync(CodeAction action, DocumentId id)
    {
        var operation = (await action.GetOperationsAsync(CancellationToken.None)).OfType<ApplyChangesOperation>().Single();
        var changed = operation.ChangedSolution.GetDocument(id)!;

        // Binding isn't enough: some errors appear only when the assembly is emitted.
        using var assembly = new MemoryStream();
        var emitted = (await changed.Project.GetCompilationAsync())!.Emit(assembly);
        var text = (await changed.GetTextAsync()).ToString();
        emitted.Diagnostics.Where(d => d.Severity == DiagnosticSeverity.Error).ShouldBeEmpty(text);
        return text;
    }
}
