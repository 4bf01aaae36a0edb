using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Text;

namespace AsyncProbe.Analyzers.CodeFixes;

/// <summary>
/// Creates a document in which an await replaces a call that blocked. The result is compiled before it is offered, because the compiler
/// knows best where an await is not possible.
/// </summary>
internal static class AwaitedDocument
{
    private static readonly SymbolDisplayFormat s_names = SymbolDisplayFormat.FullyQualifiedFormat;

    /// <summary>Returns null if the change would not be safe.</summary>
    public static async Task<Document?> FindAsync(Document document, TextSpan span, string twin, CancellationToken cancellationToken)
    {
        var root = await document.GetSyntaxRootAsync(cancellationToken).ConfigureAwait(false);
        var model = await document.GetSemanticModelAsync(cancellationToken).ConfigureAwait(false);
        if (root is null || model is null
            || AwaitedCall.Find(root, span, twin, model) is not { } found || !AwaitSafety.IsSafe(found.Call, model, cancellationToken))
        {
            return null;
        }

        var mark = new SyntaxAnnotation();
        var newRoot = root.ReplaceNode(found.Call, found.ToAwait().WithAdditionalAnnotations(mark));
        var changed = document.WithSyntaxRoot(newRoot);
        var newModel = await changed.GetSemanticModelAsync(cancellationToken).ConfigureAwait(false);
        newRoot = await changed.GetSyntaxRootAsync(cancellationToken).ConfigureAwait(false);
        var replaced = newRoot?.GetAnnotatedNodes(mark).SingleOrDefault() as ExpressionSyntax;
        if (newModel is null || replaced is null || !Compiles(replaced, newModel, cancellationToken))
        {
            return null;
        }

        var awaited = (AwaitExpressionSyntax)(replaced is ParenthesizedExpressionSyntax inner ? inner.Expression : replaced);
        return HasSameType(found.Call, model, awaited, newModel)
            && (AwaitedCall.IsOfTasks(twin) || HasSameArguments(found.Call, model, awaited.Expression, newModel)) ? changed : null;
    }

    private static bool Compiles(SyntaxNode replaced, SemanticModel model, CancellationToken cancellationToken)
    {
        var member = replaced.FirstAncestorOrSelf<MemberDeclarationSyntax>();
        return model.GetDiagnostics(member?.Span, cancellationToken).All(diagnostic => diagnostic.Severity != DiagnosticSeverity.Error);
    }

    // A different type would change the type of a variable, or the return type of a lambda.
    private static bool HasSameType(ExpressionSyntax call, SemanticModel model, ExpressionSyntax awaited, SemanticModel newModel) =>
        call.Parent is ExpressionStatementSyntax
        || model.GetTypeInfo(call).Type?.ToDisplayString(s_names) == newModel.GetTypeInfo(awaited).Type?.ToDisplayString(s_names);

    private static bool HasSameArguments(ExpressionSyntax call, SemanticModel model, ExpressionSyntax twin, SemanticModel newModel)
    {
        if (call is not InvocationExpressionSyntax { ArgumentList.Arguments: var arguments }
            || model.GetSymbolInfo(call).Symbol is not IMethodSymbol old || newModel.GetSymbolInfo(twin).Symbol is not IMethodSymbol now)
        {
            return false;
        }

        return arguments.Select((argument, i) => (Old: TypeOf(old, argument, i), New: TypeOf(now, argument, i)))
            .All(types => types.Old is not null && types.Old == types.New);
    }

    private static string? TypeOf(IMethodSymbol method, ArgumentSyntax argument, int index)
    {
        var parameter = argument.NameColon is { Name.Identifier.ValueText: var name }
            ? method.Parameters.FirstOrDefault(p => p.Name == name)
            : index < method.Parameters.Length ? method.Parameters[index]
            : method.Parameters.LastOrDefault(p => p.IsParams);
        return parameter is { RefKind: RefKind.None } ? parameter.Type.ToDisplayString(s_names) : null;
    }
}
